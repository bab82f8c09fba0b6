/**
 * The facilitator's page: its health, its accounts, how to use it, what it settles, statistics and its
 * latest payments.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { listDigits, NativeAmount } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Status, toStatusName } from "@/components/atoms/Status";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { toPaymentsPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { balanceQuery, nonceQuery, paymentSeriesQuery, paymentTotalsQuery } from "@/lib/query/queries";
import type { PaymentTotal } from "@/lib/rpc/explorerShapes";
import { formatInteger, toPercent } from "@/lib/units";
import { findReason } from "@/lib/x402/reason";
import { FacilitatorPayments } from "./FacilitatorPayments";
import { FacilitatorStatus } from "./FacilitatorStatus";
import { FacilitatorUse } from "./FacilitatorUse";
import { PaymentSeriesCharts } from "./PaymentSeriesCharts";

export type FacilitatorFacts = {
  url: string;
  signers: string[];
  /** "exact", "upto" */
  schemes: string[];
  extensions: string[];
  limits: FacilitatorLimits;
};

/**
 * The limits that GET /supported reports. `minAmount` is in whole tokens. If `payees` is missing, any payee is allowed.
 * If `payerGasPerDay` is missing, a payer's gas isn't limited.
 */
export type FacilitatorLimits = {
  minAmount: string;
  payerGasPerDay?: number;
  contractPayerGas: number;
  payees?: string[];
};

export function FacilitatorScreen({ facts }: { facts: FacilitatorFacts }) {
  const totals = paymentTotalsQuery(useSource(), "state");
  const { data: states } = useQuery(totals);
  return (
    <>
      <FacilitatorStatus totals={states?.items ?? []} />
      <div className="grid gap-4 xl:grid-cols-2">
        <FacilitatorUse url={facts.url} />
        <Support facts={facts} />
      </div>
      <Signers signers={facts.signers} />
      <PaymentSeriesCharts filters={{}} />
      <div className="grid gap-4 lg:grid-cols-2">
        <FacilitatorPayments state="settled" title="Latest settlements" none="No settlements yet" />
        <FacilitatorPayments state="failed" title="Latest failures" none="No failed payments" />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Sheet
          id="states"
          title="Payments by status"
          aside={<DataLinks method="explorer_getPaymentTotals" params={totals.queryKey[2]} />}
        >
          <States totals={states?.items ?? []} />
        </Sheet>
        <Sheet id="batches" title="Settlement transactions by size">
          <Batches />
        </Sheet>
      </div>
    </>
  );
}

/** Describes what the facilitator accepts. */
function Support({ facts: { schemes, extensions, limits } }: { facts: FacilitatorFacts }) {
  const { tokens } = useNetwork();
  const { minAmount, payerGasPerDay, contractPayerGas, payees } = limits;
  return (
    <Sheet id="support" title="What it settles">
      <InfoList label="What it settles">
        <InfoRow label="Schemes">{schemes.join(", ")}</InfoRow>
        <InfoRow label="Tokens">{tokens.map(({ symbol }) => symbol).join(", ") || "none"}</InfoRow>
        <InfoRow label="Payees">
          {payees?.map((address) => <AddressLink key={address} address={address} />) ?? "any"}
        </InfoRow>
        <InfoRow label="Smallest payment">{Number(minAmount) === 0 ? "no minimum" : `${minAmount} tokens`}</InfoRow>
        <InfoRow label="Gas limit per payer">
          {payerGasPerDay === undefined ? "none" : `${formatInteger(BigInt(payerGasPerDay))} per day`}
        </InfoRow>
        <InfoRow label="Gas limit for smart wallets">{formatInteger(BigInt(contractPayerGas))} per payment</InfoRow>
        <InfoRow label="Extensions">
          <span className="wrap-anywhere text-ink-2">{extensions.join(", ") || "none"}</span>
        </InfoRow>
      </InfoList>
    </Sheet>
  );
}

function Signers({ signers }: { signers: string[] }) {
  const columns: Column<string>[] = [
    {
      id: "account",
      head: "Account",
      narrow: "lead",
      cell: (address) => <AddressLink address={address} />,
    },
    {
      id: "balance",
      head: "Balance",
      align: "right",
      width: "md:w-48",
      narrow: "trail",
      cell: (address) => <SignerBalance address={address} />,
    },
    {
      id: "sent",
      head: "Transactions",
      align: "right",
      width: "md:w-40",
      narrow: "belowTrail",
      cell: (address) => <SignerNonce address={address} />,
    },
  ];
  return (
    <Sheet id="signers" title="Relayer accounts">
      <DataTable caption="Relayer accounts" columns={columns} rows={signers} getKey={(address) => address} />
    </Sheet>
  );
}

function SignerBalance({ address }: { address: string }) {
  const { data } = useQuery(balanceQuery(useSource(), address));
  return data === undefined ? "…" : <NativeAmount wei={BigInt(data)} fractionDigits={listDigits} />;
}

function SignerNonce({ address }: { address: string }) {
  const { data } = useQuery(nonceQuery(useSource(), address));
  if (data === undefined) return "…";
  return (
    <>
      {formatInteger(BigInt(data))}
      <span className="md:hidden"> transactions</span>
    </>
  );
}

/** Lists the number of payments in each state. `subject` is the state, then a space and the reason, if any. */
function States({ totals }: { totals: PaymentTotal[] }) {
  const { network } = useNetworkContext();
  // When the last payment in a state moves to another state, the old state stays in the totals with a count of zero.
  const held = totals.filter(({ payments }) => BigInt(payments) > 0n);
  if (held.length === 0) return <Empty title="No payments yet" />;
  return (
    <ul className="divide-y divide-line text-13">
      {held.map(({ subject, payments }) => {
        const [state = "", reason] = subject.split(" ", 2);
        const known = reason === undefined ? undefined : findReason(reason);
        return (
          <li
            key={subject}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 py-2 sm:grid-cols-[7rem_minmax(0,1fr)_auto]"
          >
            <Status name={toStatusName(state)} />
            <span className="min-w-0 max-sm:col-span-2 max-sm:row-start-2">
              {reason && (
                <code className="mono wrap-anywhere">
                  <WrapText text={reason} />
                </code>
              )}
              {known && <p className="text-12 leading-4 text-ink-2">{known.cause}</p>}
            </span>
            <AppLink href={toPaymentsPath(network.name, { state })} className="tabular-nums">
              {formatInteger(BigInt(payments))}
            </AppLink>
          </li>
        );
      })}
    </ul>
  );
}

function Batches() {
  const { data } = useQuery(paymentSeriesQuery(useSource()));
  if (!data || data.batches.length === 0) return <Empty title="No payments yet" />;
  const most = data.batches.reduce((found, { transactions }) => Math.max(found, Number(transactions)), 1);
  return (
    <ul className="divide-y divide-line text-13">
      {data.batches.map(({ size, transactions }) => (
        <li key={size} className="grid grid-cols-[7rem_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2">
          <span>
            {Number(size)} {plural(Number(size), "payment")}
          </span>
          <span className="gas-bar w-full" aria-hidden>
            <span style={{ width: `${toPercent(BigInt(transactions), BigInt(most))}%` }} />
          </span>
          <span className="tabular-nums">
            {Number(transactions)} {plural(Number(transactions), "transaction")}
          </span>
        </li>
      ))}
    </ul>
  );
}
