"use client";
/**
 * The layout around a transaction's tabs: its hash, a summary sentence, why it failed or is pending, and the tabs. When
 * a pending transaction is mined, the page updates in place.
 */
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode } from "react";
import { Age } from "@/components/atoms/Age";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { Status } from "@/components/atoms/Status";
import { useSource } from "@/components/layout/NetworkContext";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { useReading } from "@/components/trace/useReadings";
import { type Tense, TransactionSentence } from "@/components/transaction/TransactionSentence";
import { TransactionTabs } from "@/components/transaction/TransactionTabs";
import { isFailed, toInputItem } from "@/components/transaction/transactionItems";
import { toSummary } from "@/lib/decode/summary";
import type { NetworkChoice } from "@/lib/networks";
import { receiptQuery, transactionQuery } from "@/lib/query/queries";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";

/** Few transactions have these parts, so their code is loaded only if they are shown. */
const TransactionFailure = lazy(async () => ({ default: (await import("./TransactionFailure")).TransactionFailure }));
const TransactionMissing = lazy(async () => ({ default: (await import("./TransactionMissing")).TransactionMissing }));
const TransactionWait = lazy(async () => ({ default: (await import("./TransactionWait")).TransactionWait }));

export function TransactionFrame({
  hash,
  others,
  children,
}: {
  hash: string;
  /** This node's other networks. */
  others: readonly NetworkChoice[];
  children: ReactNode;
}) {
  const source = useSource();
  const query = transactionQuery(source, hash);
  const { data: transaction } = useQuery(query);
  const { data: receipt } = useQuery(receiptQuery(source, hash));
  const [reading] = useReading(transaction ? toInputItem(transaction) : undefined);
  const failed = isFailed(receipt);
  const tense: Tense = !receipt ? "will" : failed ? "tried" : "did";
  return (
    <>
      {/* On one line: if there isn't enough room, the hash is truncated. On tablets, a smaller hash just fits. */}
      <div className="page-title sm:flex-nowrap sm:max-lg:gap-x-3 sm:max-lg:[&_.hash]:text-[0.71875rem]">
        <h1>Transaction</h1>
        <p className="identifier" data-lit={hash} data-copies>
          <Hashmark kind="transaction" id={hash} />
          <Hash value={hash} />
          <Copy value={hash} what="transaction hash" quiet={false} />
        </p>
        {transaction && <DataLinks method="eth_getTransactionByHash" params={[hash]} />}
      </div>
      <QueryContent framed query={query} rows={8} label="Loading transaction">
        {(transaction) =>
          transaction === null ? (
            <TransactionMissing hash={hash} others={others} />
          ) : (
            <>
              <TransactionSentence
                sender={transaction.from}
                summary={toSummary(transaction, receipt, reading?.name)}
                tense={tense}
              />
              {receipt && !failed && (
                <div className="-mt-4">
                  <Outcome transaction={transaction} receipt={receipt} />
                </div>
              )}
              {receipt && failed && (
                <TransactionFailure
                  receipt={receipt}
                  outcome={<Outcome transaction={transaction} receipt={receipt} />}
                />
              )}
              {receipt === null && <TransactionWait transaction={transaction} />}
              <div className="flex min-w-0 flex-col gap-6">
                <TransactionTabs transaction={transaction} receipt={receipt} />
                {children}
              </div>
            </>
          )
        }
      </QueryContent>
    </>
  );
}

/** Whether the transaction succeeded, and when. Shown on every tab. */
function Outcome({ transaction, receipt }: { transaction: WireTransaction; receipt: WireReceipt }) {
  return (
    <section aria-label="Outcome" className="flex flex-wrap items-center gap-x-4 text-ink-2">
      {receipt.status !== undefined && <Status name={isFailed(receipt) ? "failed" : "success"} />}
      {transaction.blockTimestamp && <Age timestamp={Number(transaction.blockTimestamp)} />}
    </section>
  );
}
