"use client";
/** The chain's lists of transactions: the full one, and the newest on the start page. */
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { ListSheet } from "@/components/lists/ListSheet";
import { NoTransactions } from "@/components/transaction/NoTransactions";
import {
  compactTransactionColumns,
  getTransactionKey,
  toTransactionColumns,
} from "@/components/transaction/transactionColumns";
import { toSectionPath } from "@/lib/links";
import { homeRows, pageSize, transactionsQuery } from "@/lib/query/queries";

const columns = toTransactionColumns({});

export function TransactionsScreen({ cursor }: { cursor: string | undefined }) {
  const source = useSource();
  return (
    <ListSheet
      id="transactions"
      title="Transactions"
      query={transactionsQuery(source, cursor)}
      columns={columns}
      getKey={getTransactionKey}
      rows={pageSize}
      loadingLabel="Loading transactions"
      path={toSectionPath(source.network, "txs")}
      cursor={cursor}
      empty={<NoTransactions />}
    />
  );
}

export function LatestTransactions() {
  const source = useSource();
  return (
    <ListSheet
      id="transactions"
      title="Latest transactions"
      aside={
        <AppLink href={toSectionPath(source.network, "txs")} className="text-13 text-ink-2">
          See all
        </AppLink>
      }
      query={transactionsQuery(source, undefined, homeRows)}
      columns={compactTransactionColumns}
      getKey={getTransactionKey}
      rows={homeRows}
      loadingLabel="Loading transactions"
      empty={<NoTransactions />}
    />
  );
}
