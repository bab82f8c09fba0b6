"use client";
/** The logs of a receipt, decoded if an interface is known. */
import { useMemo } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { LogRow } from "@/components/trace/LogRow";
import { useReadings } from "@/components/trace/useReadings";
import { TransactionMined } from "@/components/transaction/TransactionMined";
import { isFailed, toLogItems } from "@/components/transaction/transactionItems";
import { plural } from "@/lib/plural";
import type { WireLog, WireReceipt } from "@/lib/query/wire";

/** With at most this many logs, their details are open. */
const mostOpenLogs = 3;

export function TransactionLogs({ hash }: { hash: string }) {
  return <TransactionMined hash={hash}>{(receipt) => <Logs receipt={receipt} />}</TransactionMined>;
}

function Logs({ receipt }: { receipt: WireReceipt }) {
  const { logs } = receipt;
  const items = useMemo(() => toLogItems(logs), [logs]);
  const readings = useReadings(items);
  return (
    <Sheet
      id="logs"
      title={`${logs.length} ${plural(logs.length, "log")}`}
      aside={<DataLinks method="eth_getTransactionReceipt" params={[receipt.transactionHash]} />}
    >
      {logs.length === 0 ? (
        <Empty title="No events emitted">
          {isFailed(receipt) && (
            <p>Events from a reverted transaction are discarded; see Trace for what was emitted.</p>
          )}
        </Empty>
      ) : (
        <ol>
          {logs.map((log, index) => (
            <LogRow
              key={log.logIndex}
              log={log}
              readings={readings?.[index] ?? []}
              place={<LogPlace log={log} id={`log-${Number(log.logIndex)}`} />}
              startsOpen={logs.length <= mostOpenLogs}
            />
          ))}
        </ol>
      )}
    </Sheet>
  );
}

/** A log's index and the contract that emitted it. Links to the log use the `id`. */
export function LogPlace({ log, id }: { log: WireLog; id?: string }) {
  return (
    <span id={id} className="flex min-w-0 scroll-mt-24 items-center gap-x-2">
      <span className="method mono shrink-0" title="Log index in the block">
        {Number(log.logIndex)}
      </span>
      <AddressLink contract address={log.address} />
    </span>
  );
}
