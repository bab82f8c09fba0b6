"use client";
/** A transaction that the visitor just sent: pending, then its receipt with its net changes and logs, or why it failed. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { GasCost } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Status } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { useSource } from "@/components/layout/NetworkContext";
import { LogRow } from "@/components/trace/LogRow";
import { useReadings } from "@/components/trace/useReadings";
import { NetChangeList } from "@/components/transaction/NetChanges";
import { TransactionFailure } from "@/components/transaction/TransactionFailure";
import { LogPlace } from "@/components/transaction/TransactionLogs";
import { isFailed, toLogItems } from "@/components/transaction/transactionItems";
import { listNativeMovements, toFeeWei } from "@/lib/decode/internals";
import { listMovements } from "@/lib/decode/transfers";
import { plural } from "@/lib/plural";
import { receiptQuery } from "@/lib/query/queries";
import { traceQuery } from "@/lib/query/transaction";
import type { WireReceipt } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

export function SentTransaction({ hash }: { hash: string }) {
  const { data: receipt } = useQuery(receiptQuery(useSource(), hash));
  const failed = isFailed(receipt);
  return (
    <section aria-label="Receipt" className="border border-line">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
        <Status name={!receipt ? "pending" : failed ? "failed" : "success"} />
        <TxLink hash={hash} />
        {receipt ? (
          <>
            <span className="text-ink-2">
              Block <BlockLink number={Number(receipt.blockNumber)} />
            </span>
            <span className="text-ink-2">{formatInteger(BigInt(receipt.gasUsed))} gas</span>
            <span className="text-ink-2">
              Fee <GasCost wei={toFeeWei(receipt)} />
            </span>
          </>
        ) : (
          <span className="text-ink-2">Waiting for a block</span>
        )}
      </p>
      {receipt && failed && (
        <div className="-m-px">
          <TransactionFailure receipt={receipt} />
        </div>
      )}
      {receipt && !failed && <Effects receipt={receipt} />}
    </section>
  );
}

function Effects({ receipt }: { receipt: WireReceipt }) {
  const { logs } = receipt;
  const { data: root } = useQuery(traceQuery(useSource(), receipt.transactionHash));
  const items = useMemo(() => toLogItems(logs), [logs]);
  const readings = useReadings(items);
  return (
    <>
      <div className="border-line border-t">
        <NetChangeList
          movements={[...(root ? listNativeMovements(root) : []), ...listMovements(logs)]}
          fee={{ payer: receipt.from, wei: toFeeWei(receipt) }}
        />
      </div>
      {logs.length > 0 && (
        <details className="border-line border-t">
          <summary className="cursor-pointer px-4 py-2 text-13 text-ink-2">
            {logs.length} {plural(logs.length, "log")}
          </summary>
          <ol className="border-line border-t">
            {logs.map((log, index) => (
              <LogRow key={log.logIndex} log={log} readings={readings?.[index] ?? []} place={<LogPlace log={log} />} />
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
