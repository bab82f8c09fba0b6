"use client";
/** Wraps what only a mined transaction has: until then it says so, and shows the tab as soon as it is mined. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { receiptQuery } from "@/lib/query/queries";
import type { WireReceipt } from "@/lib/query/wire";

export function TransactionMined({ hash, children }: { hash: string; children: (receipt: WireReceipt) => ReactNode }) {
  const source = useSource();
  const { data: receipt, error, refetch } = useQuery(receiptQuery(source, hash));
  if (receipt) return children(receipt);
  return (
    <Sheet>
      {error ? (
        <QueryFailure error={error} method="eth_getTransactionReceipt" onRetry={refetch} />
      ) : receipt === undefined ? (
        <SkeletonRows rows={4} label="Loading transaction" />
      ) : (
        <Empty level="h2" icon="clock" title="Known once the transaction is mined">
          <p>What it does depends on the state it meets. This page shows it as soon as it is in a block.</p>
        </Empty>
      )}
    </Sheet>
  );
}
