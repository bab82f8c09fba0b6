"use client";
/** Refunds a settled payment on a local chain, if this node has the payee's key. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmedAction } from "@/components/atoms/ConfirmedAction";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { PaidAmount } from "@/components/payments/PaidAmount";
import { refreshFollowing } from "@/lib/query/client";
import type { Payment } from "@/lib/query/wire";

/**
 * Whether to offer a refund. The node usually has the keys of accounts that have a name. If it doesn't have the payee's
 * key, the refund fails with an error that says so.
 */
function useCanRefund({ state, payee, refundOf }: Payment): boolean {
  const { network, names } = useNetworkContext();
  const kind = names.get(payee)?.kind;
  return network.embedded && state === "settled" && refundOf === null && (kind === "account" || kind === "label");
}

export function RefundAction({ payment }: { payment: Payment }) {
  const { id, payer, payee, amount, settledAmount, asset } = payment;
  const { source, names } = useNetworkContext();
  const queries = useQueryClient();
  const refund = useMutation({
    mutationFn: () => source.request({ method: "explorer_refund", params: [id] }),
    // Live updates may be paused or offline, but the refund must show at once.
    onSuccess: () => refreshFollowing(queries, source.network, ["head", "payment"]),
  });
  const canRefund = useCanRefund(payment);
  // A payment of zero moved no tokens.
  if (!canRefund || BigInt(settledAmount ?? amount) === 0n) return null;
  const nameOf = (address: string, role: string) => names.get(address)?.name ?? role;
  return (
    <>
      <ConfirmedAction
        label={refund.isPending ? "Refunding…" : "Refund as payee"}
        loss={
          <>
            Sends <PaidAmount units={BigInt(settledAmount ?? amount)} token={asset} /> from {nameOf(payee, "the payee")}{" "}
            back to {nameOf(payer, "the payer")}. A payment can be refunded only once. Only the payee can refund it, and
            this local node signs with {nameOf(payee, "the payee")}’s key.
          </>
        }
        confirm="Refund"
        isMild
        isReady={() => !refund.isPending}
        onConfirm={() => refund.mutate()}
      />
      {refund.error && (
        <span role="alert" className="basis-full text-13 text-neg">
          {refund.error.message}
        </span>
      )}
    </>
  );
}
