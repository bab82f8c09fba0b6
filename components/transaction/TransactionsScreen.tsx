"use client";
/** Lists of transactions: the full list, and the newest transactions for the start page. */
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { ListSheet } from "@/components/lists/ListSheet";
import { NoTransactions } from "@/components/transaction/NoTransactions";
import { TransactionFilters } from "@/components/transaction/TransactionFilters";
import {
  getTransactionKey,
  toCompactTransactionColumns,
  toTransactionColumns,
  toValueShape,
} from "@/components/transaction/transactionColumns";
import { isFiltered, type ShownFilter, toFilterFields } from "@/components/transaction/transactionFilter";
import { toFilteredPath, toSectionPath } from "@/lib/links";
import { homeRows, pageSize, transactionsQuery } from "@/lib/query/queries";

export function TransactionsScreen({ cursor, filter }: { cursor: string | undefined; filter: ShownFilter }) {
  const source = useSource();
  const network = useNetwork();
  const path = toSectionPath(source.network, "txs");
  return (
    <ListSheet
      id="transactions"
      title="Transactions"
      level="h1"
      filters={<TransactionFilters path={path} filter={filter} />}
      query={transactionsQuery(source, cursor, pageSize, toFilterFields(filter))}
      columns={(rows) =>
        toTransactionColumns({ isFailed: filter.kind === "failed", values: toValueShape(network, rows) })
      }
      getKey={getTransactionKey}
      rows={pageSize}
      loadingLabel="Loading transactions"
      path={toFilteredPath(path, filter)}
      cursor={cursor}
      empty={isFiltered(filter) ? "No transactions match" : <NoTransactions />}
    />
  );
}

export function LatestTransactions() {
  const source = useSource();
  const network = useNetwork();
  return (
    <ListSheet
      id="transactions"
      title="Latest transactions"
      aside={
        <AppLink href={toSectionPath(source.network, "txs")} className="text-13 text-accent">
          See all
        </AppLink>
      }
      query={transactionsQuery(source, undefined, homeRows)}
      columns={(rows) => toCompactTransactionColumns(toValueShape(network, rows))}
      getKey={getTransactionKey}
      rows={homeRows}
      loadingLabel="Loading transactions"
      empty={<NoTransactions />}
    />
  );
}
