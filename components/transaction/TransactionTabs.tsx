"use client";
/**
 * A transaction's tabs. Each tab has its own URL, and shows a count if the receipt or the trace provides one. While the
 * transaction is pending, the tabs that depend on its result are fainter.
 */
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { PageTabs } from "@/components/layout/PageTabs";
import { listOwnTransfers } from "@/components/transaction/listOwnTransfers";
import { toTransactionPath } from "@/lib/links";
import { transactionEffectsQuery } from "@/lib/query/transaction";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";

const transactionTabs = ["overview", "transfers", "logs", "trace", "state", "raw"] as const;
export type TransactionTab = (typeof transactionTabs)[number];

const labels: Record<TransactionTab, string> = {
  overview: "Overview",
  transfers: "Transfers",
  logs: "Logs",
  trace: "Trace",
  state: "State",
  raw: "Raw",
};

export function toTabPath(network: string, hash: string, tab: TransactionTab): string {
  const path = toTransactionPath(network, hash);
  return tab === "overview" ? path : `${path}/${tab}`;
}

export function TransactionTabs({
  transaction,
  receipt,
}: {
  transaction: WireTransaction;
  receipt: WireReceipt | null | undefined;
}) {
  const source = useSource();
  const { hash } = transaction;
  const { data: effects } = useQuery(transactionEffectsQuery(source, hash));
  const counts: Partial<Record<TransactionTab, number>> = {
    ...(receipt && {
      transfers: listOwnTransfers(transaction, receipt).length + Number(effects?.internalTransactions ?? 0),
      logs: receipt.logs.length,
    }),
    ...(effects?.calls && { trace: Number(effects.calls) }),
    ...(effects?.changedAccounts && { state: Number(effects.changedAccounts) }),
  };
  const tabs = transactionTabs.map((tab) => {
    const isPending = receipt === null && tab !== "overview" && tab !== "raw";
    return {
      label: labels[tab],
      path: toTabPath(source.network, hash, tab),
      count: isPending ? "–" : counts[tab],
      isRaw: tab === "raw",
      pending: isPending ? "Available once the transaction is mined" : undefined,
    };
  });
  return <PageTabs label="Parts of the transaction" tabs={tabs} />;
}
