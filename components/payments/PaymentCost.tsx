/** What a payment cost: the price, the gas and who paid it, what the seller keeps, and what batching saved. */
"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost, TokenAmount } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { findBatchedCall } from "@/lib/payflow/batchedCall";
import type { ChainFacts } from "@/lib/payflow/chainSteps";
import { plural } from "@/lib/plural";
import { callGasQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

export function PaymentCost({ payment, facts }: { payment: Payment; facts: ChainFacts }) {
  const { asset, settledAmount, refundedAmount, gasUsed, gasCost, batchSize } = payment;
  if (settledAmount === null || gasUsed === null || gasCost === null) return null;
  const price = <TokenAmount units={BigInt(settledAmount)} token={asset} />;
  const payments = Number(batchSize ?? 1);
  return (
    <Sheet id="cost" title="What it cost">
      <InfoList label="Cost">
        <InfoRow label="Buyer paid">
          <Beside note="No gas: the buyer only signed.">{price}</Beside>
        </InfoRow>
        <InfoRow label="Gas fee">
          <Beside
            note={
              <>
                {formatInteger(BigInt(gasUsed))} gas
                {facts.receipt && (
                  <>
                    , paid by{" "}
                    <span className="ml-0.5">
                      <AddressLink address={facts.receipt.from} />
                    </span>
                  </>
                )}
                {`, ${payments} ${plural(payments, "payment")} in the transaction`}
              </>
            }
          >
            <GasCost wei={BigInt(gasCost)} />
          </Beside>
        </InfoRow>
        <InfoRow label="Seller keeps">
          <Beside
            note={
              refundedAmount === null
                ? "100% of the price: the facilitator takes no fee."
                : "The price minus the refund: the facilitator takes no fee."
            }
          >
            <TokenAmount units={BigInt(settledAmount) - BigInt(refundedAmount ?? 0)} token={asset} />
          </Beside>
        </InfoRow>
        {payments > 1 && <Saving payment={payment} facts={facts} />}
      </InfoList>
    </Sheet>
  );
}

function Beside({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <span className="flex gap-x-3 max-sm:flex-wrap">
      <span className="flex-none sm:min-w-24">{children}</span>
      <span className="min-w-0 text-ink-2">{note}</span>
    </span>
  );
}

/** Compares the payment's share of the batch's gas with the gas that the payment alone would use. */
function Saving({ payment: { nonce, gasUsed, gasCost }, facts }: { payment: Payment; facts: ChainFacts }) {
  const source = useSource();
  const { receipt, readings = [] } = facts;
  const call = findBatchedCall(readings, nonce);
  const query = callGasQuery(
    source,
    { ...(receipt && { from: receipt.from }), ...call },
    Number(receipt?.blockNumber ?? 1) - 1,
  );
  const { data } = useQuery({ ...query, enabled: receipt !== undefined && call !== undefined });
  if (data === undefined) return null;
  const [alone, used] = [BigInt(data), BigInt(gasUsed ?? 0)];
  if (alone <= used || used === 0n) return null;
  const saved = alone - used;
  return (
    <InfoRow label="Batching saved">
      <Beside
        note={`${formatInteger(saved)} gas (${(saved * 100n) / alone}%): on its own, this payment would have used ${formatInteger(alone)} gas.`}
      >
        <GasCost wei={(BigInt(gasCost ?? 0) * saved) / used} />
      </Beside>
    </InfoRow>
  );
}
