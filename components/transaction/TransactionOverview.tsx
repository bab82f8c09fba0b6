"use client";
/** The first tab of a transaction: the payments that it settled, and the facts about it. */
import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { useSource } from "@/components/layout/NetworkContext";
import { TransactionFacts } from "@/components/transaction/TransactionFacts";
import { isFailed } from "@/components/transaction/transactionItems";
import { listSettlements } from "@/lib/decode/summary";
import { paymentQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";
import { transactionEffectsQuery } from "@/lib/query/transaction";

/** Few transactions have these parts, so their code is loaded only if they are shown. */
const TransactionAuthorizations = lazy(async () => ({
  default: (await import("./TransactionAuthorizations")).TransactionAuthorizations,
}));
const TransactionDeployment = lazy(async () => ({
  default: (await import("./TransactionDeployment")).TransactionDeployment,
}));
const TransactionPayments = lazy(async () => ({
  default: (await import("./TransactionPayments")).TransactionPayments,
}));

export function TransactionOverview({ hash }: { hash: string }) {
  const source = useSource();
  const { data: transaction } = useQuery(transactionQuery(source, hash));
  const { data: receipt } = useQuery(receiptQuery(source, hash));
  const { data: payments = [] } = useQuery(paymentQuery(source, hash));
  const { data: effects } = useQuery(transactionEffectsQuery(source, hash));
  if (!transaction) return null;
  const settlements = listSettlements(receipt?.logs ?? []);
  const paymentCount = Math.max(payments.length, settlements.length);
  const deployed = isFailed(receipt) ? undefined : (receipt?.contractAddress ?? undefined);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {paymentCount > 0 && <TransactionPayments hash={hash} payments={payments} settlements={settlements} />}
      {deployed && <TransactionDeployment address={deployed} initCode={transaction.input} />}
      <TransactionFacts transaction={transaction} receipt={receipt ?? undefined} payments={paymentCount} />
      {effects && effects.authorizations.length > 0 && <TransactionAuthorizations effects={effects} />}
    </div>
  );
}
