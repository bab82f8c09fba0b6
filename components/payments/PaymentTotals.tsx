/** Lists resources or payees, highest earnings first. Each row links to its payments. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { GasCost, ListedTokenAmount } from "@/components/atoms/Amount";
import { Hash } from "@/components/atoms/Hash";
import { Hinted } from "@/components/atoms/Hinted";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useAddressName, useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import type { AmountShape } from "@/components/lists/amountShape";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { toChecksumAddress } from "@/lib/address";
import { toPaymentsPath, toSectionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { earningsQuery, paymentTotalsQuery } from "@/lib/query/queries";
import type { Earning } from "@/lib/rpc/explorerShapes";
import { toResourcePath } from "@/lib/shownText";
import { formatInteger } from "@/lib/units";
import { formatFailedShare } from "./formatFailedShare";
import { toTokenShape } from "./paymentAmount";

type Grouping = "resource" | "payee";

const getKey = ({ subject, asset }: Earning) => `${subject} ${asset}`;

export function PaymentTotals({ by }: { by: Grouping }) {
  const { network, source } = useNetworkContext();
  const query = earningsQuery(source, by);
  const { data } = useQuery(query);
  const title = by === "resource" ? "Resources" : "Payees";
  return (
    <Sheet
      id="totals"
      title={title}
      aside={
        <>
          <p className="min-w-0 flex-1 text-pretty text-13 text-ink-2 max-sm:order-1 max-sm:basis-full">
            Highest earnings first, one row per token
            {data?.cut && ". Payers, failures and last payments cover only the latest 2,000 payments."}
          </p>
          <DataLinks csv method="explorer_getPaymentTotals" params={paymentTotalsQuery(source, by).queryKey[2]} />
        </>
      }
    >
      <QueryContent query={query} rows={5} label="Loading payments">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No payments yet">
              <p>Sellers appear here after their first payment.</p>
              <AppLink href={toSectionPath(source.network, "playground")} className="button">
                Open the playground
              </AppLink>
            </Empty>
          ) : (
            <DataTable
              caption={title}
              columns={toColumns(by, source.network, toTokenShape(network, items.flatMap(toAmounts)))}
              rows={items}
              getKey={getKey}
            />
          )
        }
      </QueryContent>
    </Sheet>
  );
}

/** What the columns of amounts show. */
function toAmounts({ asset, settledAmount, refundedAmount }: Earning) {
  const refunded = BigInt(refundedAmount);
  return [
    { units: BigInt(settledAmount) - refunded, asset },
    { units: refunded, asset },
  ];
}

function toColumns(by: Grouping, network: string, shape: AmountShape): Column<Earning>[] {
  const toSubjectPath = (subject: string) =>
    toPaymentsPath(network, by === "payee" ? { payee: subject } : { resource: subject });
  const toFailedPath = (subject: string) =>
    toPaymentsPath(network, { state: "failed", ...(by === "payee" ? { payee: subject } : { resource: subject }) });
  return [
    {
      id: "subject",
      head: by === "resource" ? "Resource" : "Payee",
      narrow: "lead",
      cell: ({ subject }) =>
        by === "payee" ? <PayeeLink address={subject} /> : <ResourceLink {...{ network, subject }} />,
    },
    {
      id: "summary",
      head: "Summary",
      width: "md:hidden",
      // A line of its own, because it has a figure for each of the other columns.
      narrow: "last",
      cell: ({ subject, payments, payers, refunds, gasCost, lastAt, ...earning }) => (
        // Starts where the payee's name starts.
        <span className={`flex flex-wrap gap-x-3 text-ink-2 ${by === "payee" ? "pl-[1.375rem]" : ""}`}>
          <AppLink href={toSubjectPath(subject)}>
            {formatInteger(BigInt(payments))} {plural(Number(payments), "payment")}
          </AppLink>
          <span>
            {formatInteger(BigInt(payers))} {plural(Number(payers), "payer")}
          </span>
          {BigInt(earning.failed) > 0n && (
            <span>
              <FailureRate {...earning} href={toFailedPath(subject)} /> failed
            </span>
          )}
          {BigInt(refunds) > 0n && <span>{formatInteger(BigInt(refunds))} refunded</span>}
          <span>
            gas <GasCost wei={BigInt(gasCost)} />
          </span>
          {lastAt !== null && <Age timestamp={Math.floor(Number(lastAt) / 1000)} />}
        </span>
      ),
    },
    {
      id: "amount",
      head: <Hinted hint="Net of refunds">Earned</Hinted>,
      align: "right",
      width: "md:w-30 lg:w-36",
      narrow: "trail",
      cell: ({ asset, settledAmount, refundedAmount }) => (
        <span className="font-medium">
          <TotalAmount units={BigInt(settledAmount) - BigInt(refundedAmount)} asset={asset} shape={shape} />
        </span>
      ),
    },
    {
      id: "count",
      head: "Payments",
      align: "right",
      width: "md:w-20 lg:w-28",
      cell: ({ subject, payments }) => (
        <AppLink href={toSubjectPath(subject)}>{formatInteger(BigInt(payments))}</AppLink>
      ),
    },
    {
      id: "payers",
      head: "Payers",
      align: "right",
      width: "md:w-16 lg:w-28",
      cell: ({ payers }) => formatInteger(BigInt(payers)),
    },
    {
      id: "failed",
      head: <Hinted hint="Payments that were verified but not settled">Failed</Hinted>,
      align: "right",
      width: "md:w-16 lg:w-28",
      cell: (earning) => <FailureRate {...earning} href={toFailedPath(earning.subject)} />,
    },
    {
      id: "gas",
      head: <Hinted hint="Paid by the facilitator">Gas fees</Hinted>,
      align: "right",
      // Tablets have no room for it beside URLs.
      width: by === "payee" ? "md:w-28 lg:w-30" : "md:w-30 max-lg:hidden",
      cell: ({ gasCost }) => <GasCost aligned wei={BigInt(gasCost)} />,
    },
    {
      id: "refunds",
      head: "Refunded",
      align: "right",
      width: "md:w-32 max-xl:hidden",
      cell: ({ asset, refundedAmount }) => <TotalAmount units={BigInt(refundedAmount)} asset={asset} shape={shape} />,
    },
    {
      id: "last",
      head: "Last payment",
      align: "right",
      width: "md:w-27 lg:w-32",
      cell: ({ lastAt }) =>
        lastAt === null ? "–" : <Age timestamp={Math.floor(Number(lastAt) / 1000)} className="text-ink-2" />,
    },
  ];
}

function TotalAmount({ units, asset, shape }: { units: bigint; asset: Earning["asset"]; shape: AmountShape }) {
  return <ListedTokenAmount units={units} token={asset ?? ""} others={0} {...shape} />;
}

/**
 * A link to a resource's payments: the resource's path and query, above its server. The query stays together if it fits
 * on a line.
 */
function ResourceLink({ network, subject }: { network: string; subject: string }) {
  const url = URL.canParse(subject) ? new URL(subject) : undefined;
  return (
    <span className="flex min-w-0 flex-col md:py-2">
      <AppLink href={toPaymentsPath(network, { resource: subject })} className="wrap-anywhere whitespace-normal">
        <span className="font-medium">
          <WrapText text={toResourcePath(subject)} />
        </span>
        {url?.search && (
          <span className="inline-block text-12 text-ink-2 [text-decoration:inherit]">
            <WrapText text={url.search} />
          </span>
        )}
      </AppLink>
      {url && <span className="wrap-anywhere whitespace-normal text-12 text-ink-3 leading-4">{url.origin}</span>}
    </span>
  );
}

function PayeeLink({ address }: { address: string }) {
  const isNamed = useAddressName(address) !== undefined;
  return (
    <span className="flex min-w-0 flex-col md:py-2">
      <span className="font-medium">
        <AddressLink address={address} />
      </span>
      {isNamed && (
        <span className="pl-[1.375rem] text-ink-3">
          {/* As wide in all rows of a payee. */}
          <Hash value={toChecksumAddress(address)} className="max-md:max-w-[17.25ch]" />
        </span>
      )}
    </span>
  );
}

/** How many of the latest payments failed, as a number and a share. */
function FailureRate({ settled, failed, href }: Pick<Earning, "settled" | "failed"> & { href: string }) {
  const lost = BigInt(failed);
  if (lost === 0n) return <span className="text-ink-3">0</span>;
  return (
    <AppLink href={href} className="text-neg!">
      {formatInteger(lost)} ({formatFailedShare(lost, BigInt(settled))})
    </AppLink>
  );
}
