"use client";
/** Links to the sender's previous and next transactions by nonce. */
import { useQuery } from "@tanstack/react-query";
import { Neighbors } from "@/components/layout/Neighbors";
import { useSource } from "@/components/layout/NetworkContext";
import { toTransactionPath } from "@/lib/links";
import { transactionByNonceQuery } from "@/lib/query/transaction";

export function TransactionNeighbors({ sender, nonce }: { sender: string; nonce: number }) {
  const source = useSource();
  const before = transactionByNonceQuery(source, sender, Math.max(nonce - 1, 0));
  const { data: previous } = useQuery({ ...before, enabled: nonce > 0 });
  const { data: next } = useQuery(transactionByNonceQuery(source, sender, nonce + 1));
  const toNeighbor = (found: { hash: string } | null | undefined, at: number) =>
    found && at >= 0
      ? {
          path: toTransactionPath(source.network, found.hash),
          label: `Nonce ${at}`,
          hint: `The sender’s ${at < nonce ? "previous" : "next"} transaction`,
        }
      : undefined;
  return (
    <Neighbors
      label="Transactions from the same sender"
      previous={toNeighbor(previous, nonce - 1)}
      next={toNeighbor(next, nonce + 1)}
    />
  );
}
