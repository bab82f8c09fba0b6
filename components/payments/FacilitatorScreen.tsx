/**
 * The facilitator's page: its health, how to use it, its accounts and limits, statistics and its latest payments. A
 * breakdown is shown only if it says more than the figures above it.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Status, toStatusName } from "@/components/atoms/Status";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { TokenLink } from "@/components/token/TokenParts";
import { toPaymentsPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { paymentSeriesQuery, paymentTotalsQuery } from "@/lib/query/queries";
import type { PaymentTotal } from "@/lib/rpc/explorerShapes";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatInteger, toPercent } from "@/lib/units";
import { findReason } from "@/lib/x402/reason";
import { FacilitatorPayments } from "./FacilitatorPayments";
import { FacilitatorRelayers } from "./FacilitatorRelayers";
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
  const source = useSource();
  const totals = paymentTotalsQuery(source, "state");
  const { data: states } = useQuery(totals);
  const { data: series } = useQuery(paymentSeriesQuery(source));
  // When the last payment in a state moves to another state, the old state stays in the totals with a count of zero.
  const held = (states?.items ?? []).filter(({ payments }) => BigInt(payments) > 0n);
  const failures = held.filter(({ subject }) => subject.startsWith("failed"));
  // The figures at the top say how many were settled and failed, and the list of failures has the only reason.
  const isKnown = failures.length < 2 && held.every((total) => total.subject === "settled" || failures.includes(total));
  const batches = series?.batches ?? [];
  const transactions = batches.reduce((sum, batch) => sum + Number(batch.transactions), 0);
  // The series leaves out refunded payments and, if there are many, older ones.
  const isWhole = series?.cut === false && !held.some(({ subject }) => subject.startsWith("refunded"));
  return (
    <>
      <FacilitatorStatus totals={held} request={totals.queryKey} transactions={isWhole ? transactions : undefined} />
      <div className="grid gap-6 *:min-w-0 xl:grid-cols-2 [&>.sheet]:flex [&>.sheet]:flex-col">
        <FacilitatorUse url={facts.url} />
        {/* The last sheet ends where the code beside it ends. */}
        <div className="flex flex-col gap-6 [&>:last-child]:grow">
          <Terms facts={facts} />
          <FacilitatorRelayers signers={facts.signers} />
        </div>
      </div>
      <PaymentSeriesCharts />
      <FacilitatorPayments state="settled" title="Latest settlements" none="No settlements yet" />
      {failures.length > 0 && <FacilitatorPayments state="failed" title="Latest failures" none="No failed payments" />}
      <div className="grid items-start gap-6 empty:hidden lg:grid-cols-2 [&>:only-child]:col-span-full">
        {!isKnown && (
          <Sheet
            id="states"
            title="Payments by status"
            aside={<DataLinks method="explorer_getPaymentTotals" params={totals.queryKey[2]} />}
          >
            <States totals={held} />
          </Sheet>
        )}
        {batches.length > 1 && (
          <Sheet id="batches" title="Settlement transactions by size">
            <Batches batches={batches} />
          </Sheet>
        )}
      </div>
    </>
  );
}

/** What the facilitator accepts. */
function Terms({ facts: { schemes, extensions, limits } }: { facts: FacilitatorFacts }) {
  const { tokens } = useNetwork();
  const { minAmount, payerGasPerDay, contractPayerGas, payees } = limits;
  return (
    <Sheet id="terms" title="What it settles">
      <div className="max-sm:[&_.info-row:has(ul)]:grid-cols-1! max-sm:[&_.info-row]:grid-cols-[8.25rem_minmax(0,1fr)]!">
        <InfoList label="What it settles">
          <InfoRow label="Schemes">{schemes.join(", ")}</InfoRow>
          <InfoRow label="Tokens">
            {tokens.length === 0 ? (
              "none"
            ) : (
              <span className="flex flex-wrap gap-x-4">
                {tokens.map(({ address }) => (
                  <TokenLink key={address} token={address} />
                ))}
              </span>
            )}
          </InfoRow>
          <InfoRow label="Payees">
            {payees?.map((address) => <AddressLink key={address} address={address} />) ?? "any"}
          </InfoRow>
          <InfoRow label="Smallest payment">{Number(minAmount) === 0 ? "no minimum" : `${minAmount} tokens`}</InfoRow>
          <InfoRow label="Gas limit per payer">
            {payerGasPerDay === undefined ? "none" : `${formatInteger(BigInt(payerGasPerDay))} gas per day`}
          </InfoRow>
          <InfoRow label="Smart wallet gas" hint="The most gas that settling a smart wallet’s payment may use">
            up to {formatInteger(BigInt(contractPayerGas))} gas per payment
          </InfoRow>
          <InfoRow label="Extensions">
            <ul className="flex flex-wrap gap-x-2 gap-y-1.5 py-0.5 leading-5">
              {extensions.length === 0 && <li>none</li>}
              {extensions.map((extension) => (
                <li key={extension} className="method">
                  {extension}
                </li>
              ))}
            </ul>
          </InfoRow>
        </InfoList>
      </div>
    </Sheet>
  );
}

/** Lists the number of payments in each state. `subject` is the state, then a space and the reason, if any. */
function States({ totals }: { totals: PaymentTotal[] }) {
  const { network } = useNetworkContext();
  return (
    <ul className="divide-y divide-line text-13">
      {totals.map(({ subject, payments }) => {
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

function Batches({ batches }: { batches: RpcResult<"explorer_getPaymentSeries">["batches"] }) {
  const most = batches.reduce((found, { transactions }) => Math.max(found, Number(transactions)), 1);
  return (
    <ul className="divide-y divide-line text-13">
      {batches.map(({ size, transactions }) => (
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
