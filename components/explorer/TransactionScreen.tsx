"use client";
/**
 * A transaction's page: waiting, mined or unknown. A pending transaction turns into the mined one in place, because
 * every part asks for what it shows and the stream says when that changed.
 */
import { useQuery } from "@tanstack/react-query";
import { Copy } from "@/components/chain/Copy";
import { Hash } from "@/components/chain/Hash";
import { Hashmark } from "@/components/chain/Hashmark";
import { useSource } from "@/components/chain/NetworkContext";
import { QueryFailure } from "@/components/explorer/QueryFailure";
import { SkeletonRows } from "@/components/explorer/SkeletonRows";
import { TransactionFacts } from "@/components/explorer/TransactionFacts";
import { TransactionLogs } from "@/components/explorer/TransactionLogs";
import { TransactionMissing } from "@/components/explorer/TransactionMissing";
import { TransactionPayments } from "@/components/explorer/TransactionPayments";
import { type Tense, TransactionSentence } from "@/components/explorer/TransactionSentence";
import { Sheet } from "@/components/layout/Sheet";
import { toSummary } from "@/lib/decode/summary";
import { t } from "@/lib/messages/translate";
import { receiptQuery, transactionQuery } from "@/lib/query/queries";

export function TransactionScreen({ hash }: { hash: string }) {
  const source = useSource();
  const { data: transaction, error, refetch } = useQuery(transactionQuery(source, hash));
  const { data: receipt } = useQuery(receiptQuery(source, hash));
  const failed = receipt?.status !== undefined && Number(receipt.status) === 0;
  const tense: Tense = !receipt ? "will" : failed ? "tried" : "did";
  return (
    <>
      <div className="page-title">
        <h1>{t("tx.title")}</h1>
        <p className="identifier" data-lit={hash}>
          <Hashmark kind="transaction" id={hash} />
          <Hash value={hash} />
          <Copy value={hash} what={t("what.transactionHash")} quiet={false} />
        </p>
      </div>
      {error ? (
        <Sheet>
          <QueryFailure error={error} method="eth_getTransactionByHash" onRetry={refetch} />
        </Sheet>
      ) : transaction === undefined ? (
        <Sheet>
          <SkeletonRows rows={8} label={t("loading.transaction")} />
        </Sheet>
      ) : transaction === null ? (
        <TransactionMissing hash={hash} />
      ) : (
        <>
          <TransactionSentence sender={transaction.from} summary={toSummary(transaction, receipt)} tense={tense} />
          <TransactionPayments hash={hash} logs={receipt?.logs ?? []} />
          <TransactionFacts transaction={transaction} receipt={receipt ?? undefined} />
          {/* A plain transfer has no code that could log: its silence says nothing. */}
          {receipt && (receipt.logs.length > 0 || transaction.input !== "0x") && (
            <TransactionLogs logs={receipt.logs} />
          )}
        </>
      )}
    </>
  );
}
