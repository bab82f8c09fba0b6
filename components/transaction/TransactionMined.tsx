"use client";
/** Wraps content that exists only for mined transactions. Shows a notice while the transaction is pending. */
import type { ReactNode } from "react";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { receiptQuery } from "@/lib/query/queries";
import type { WireReceipt } from "@/lib/query/wire";

export function TransactionMined({ hash, children }: { hash: string; children: (receipt: WireReceipt) => ReactNode }) {
  return (
    <QueryContent framed query={receiptQuery(useSource(), hash)} rows={4} label="Loading transaction">
      {(receipt) =>
        receipt ? (
          children(receipt)
        ) : (
          <Sheet>
            <Empty level="h2" icon="clock" title="Available once the transaction is mined">
              <p>The result depends on the state at that time. This page updates once the transaction is mined.</p>
            </Empty>
          </Sheet>
        )
      }
    </QueryContent>
  );
}
