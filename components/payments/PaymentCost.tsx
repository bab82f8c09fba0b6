/** What a payment cost: the price, the gas and who paid it, what the seller keeps, and what batching saved. */
"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost, GasPrice } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { PaidAmount } from "@/components/payments/PaidAmount";
import { findBatchedCall } from "@/lib/payflow/batchedCall";
import type { ChainFacts } from "@/lib/payflow/chainSteps";
import { callGasQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

export function PaymentCost({ payment, facts }: { payment: Payment; facts: ChainFacts }) {
  const { asset, settledAmount, refundedAmount, gasUsed, gasCost, batchSize } = payment;
  if (settledAmount === null || gasUsed === null || gasCost === null) return null;
  const price = <PaidAmount units={BigInt(settledAmount)} token={asset} />;
  const payments = Number(batchSize ?? 1);
  return (
    <Sheet id="cost" title="What it cost">
      {/* On phones, a note is nearer to its own value than to the next one. */}
      <div className="max-sm:[&_.info-row+.info-row]:mt-2.5">
        <InfoList strip label="Cost">
          <InfoRow label="Buyer paid">
            <Noted note="No gas: the buyer only signed.">{price}</Noted>
          </InfoRow>
          <InfoRow label="Gas fee">
            <Noted
              note={
                <>
                  {formatInteger(BigInt(gasUsed))} gas
                  {facts.receipt && (
                    <>
                      {" "}
                      × <GasPrice wei={BigInt(facts.receipt.effectiveGasPrice)} />
                    </>
                  )}
                  {payments > 1 && `, its share in a batch of ${payments} payments`}
                  {facts.receipt && (
                    <>
                      , paid by{" "}
                      <span className="ml-0.5">
                        <AddressLink address={facts.receipt.from} />
                      </span>
                    </>
                  )}
                </>
              }
            >
              <GasCost wei={BigInt(gasCost)} />
            </Noted>
          </InfoRow>
          <InfoRow label="Seller keeps">
            <Noted
              note={
                refundedAmount === null
                  ? "All of it: the facilitator takes no fee."
                  : "All but the refund: the facilitator takes no fee."
              }
            >
              <PaidAmount units={BigInt(settledAmount) - BigInt(refundedAmount ?? 0)} token={asset} />
            </Noted>
          </InfoRow>
          {payments > 1 && <Saving payment={payment} facts={facts} />}
        </InfoList>
      </div>
    </Sheet>
  );
}

function Noted({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <>
      {children}
      <span className="second text-pretty text-13 text-ink-2">{note}</span>
    </>
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
      <Noted
        note={`${formatInteger(saved)} gas (${(saved * 100n) / alone}%): on its own, this payment would have used ${formatInteger(alone)} gas.`}
      >
        <GasCost wei={(BigInt(gasCost ?? 0) * saved) / used} />
      </Noted>
    </InfoRow>
  );
}
