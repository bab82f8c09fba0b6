"use client";
/** The logs of a receipt: decoded if an interface is known, always with topics and data. */
import { useMemo } from "react";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { LogItem } from "@/components/trace/LogItem";
import { useReadings } from "@/components/trace/useReadings";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { isFailed, toLogItems } from "@/components/transaction/transactionItems";
import { plural } from "@/lib/plural";
import type { WireReceipt } from "@/lib/query/wire";

export function TransactionLogs({ hash }: { hash: string }) {
  return <TransactionMined hash={hash}>{(receipt) => <Logs receipt={receipt} />}</TransactionMined>;
}

function Logs({ receipt }: { receipt: WireReceipt }) {
  const { logs } = receipt;
  const items = useMemo(() => toLogItems(logs), [logs]);
  const readings = useReadings(items);
  return (
    <Sheet id="logs" title={`${logs.length} ${plural(logs.length, "log")}`}>
      {logs.length === 0 ? (
        <Empty title="No events emitted">
          {isFailed(receipt) && (
            <p>Events from a reverted transaction are discarded; see Trace for what was emitted.</p>
          )}
        </Empty>
      ) : (
        <ol>
          {logs.map((log, index) => (
            <li key={log.logIndex} className="border-line border-b px-4 py-3 last:border-b-0">
              <LogItem log={log} readings={readings?.[index] ?? []} />
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  );
}
