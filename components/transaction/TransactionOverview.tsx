"use client";
/** The first tab: the payments that the transaction settled, and its facts. */
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { TransactionAuthorizations } from "@/components/transaction/TransactionAuthorizations";
import { TransactionDeployment } from "@/components/transaction/TransactionDeployment";
import { TransactionFacts } from "@/components/transaction/TransactionFacts";
import { TransactionPayments } from "@/components/transaction/TransactionPayments";
import { isFailed } from "@/components/transaction/transactionItems";
import { receiptQuery, transactionQuery } from "@/lib/query/queries";

export function TransactionOverview({ hash }: { hash: string }) {
  const source = useSource();
  const { data: transaction } = useQuery(transactionQuery(source, hash));
  const { data: receipt } = useQuery(receiptQuery(source, hash));
  if (!transaction) return null;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <TransactionPayments hash={hash} logs={receipt?.logs ?? []} />
      {receipt?.contractAddress && !isFailed(receipt) && (
        <TransactionDeployment address={receipt.contractAddress} initCode={transaction.input} />
      )}
      <TransactionFacts transaction={transaction} receipt={receipt ?? undefined} />
      <TransactionAuthorizations hash={hash} />
    </div>
  );
}
