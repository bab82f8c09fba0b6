"use client";
/** The chain's lists of transactions: the full one, and the newest on the start page. */
import { useQuery } from "@tanstack/react-query";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { DataLinks } from "@/components/lists/DataLinks";
import { NoTransactions } from "@/components/transaction/NoTransactions";
import { TransactionList } from "@/components/transaction/TransactionList";
import { compactTransactionColumns, toTransactionColumns } from "@/components/transaction/transactionColumns";
import { toSectionPath } from "@/lib/links";
import { homeRows, pageSize, transactionsQuery } from "@/lib/query/queries";

const columns = toTransactionColumns({});

export function TransactionsScreen({ cursor }: { cursor?: string }) {
  const source = useSource();
  const query = transactionsQuery(source, cursor);
  return (
    <TransactionList
      title="Transactions"
      aside={<DataLinks csv method="explorer_getTransactions" params={query.queryKey[2]} />}
      result={useQuery(query)}
      method="explorer_getTransactions"
      columns={columns}
      rows={pageSize}
      path={toSectionPath(source.network, "txs")}
      cursor={cursor}
      empty={<NoTransactions />}
    />
  );
}

export function LatestTransactions() {
  const source = useSource();
  return (
    <TransactionList
      title="Latest transactions"
      aside={
        <AppLink href={toSectionPath(source.network, "txs")} className="text-13 text-ink-2">
          See all
        </AppLink>
      }
      result={useQuery(transactionsQuery(source, undefined, homeRows))}
      method="explorer_getTransactions"
      columns={compactTransactionColumns}
      rows={homeRows}
      empty={<NoTransactions />}
    />
  );
}
