"use client";
import { useQuery } from "@tanstack/react-query";
import type { BlockName } from "@/components/block/BlockScreen";
import { receiptColumns } from "@/components/block/receiptColumns";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { DataTable } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { QueryContent } from "@/components/lists/QueryContent";
import { TransactionFilters } from "@/components/transaction/TransactionFilters";
import { getTransactionKey, toTransactionColumns, toValueShape } from "@/components/transaction/transactionColumns";
import { isFiltered, type ShownFilter, toFilterFields } from "@/components/transaction/transactionFilter";
import { toBlockPath, toFilteredPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { blockReceiptsQuery } from "@/lib/query/explorerQueries";
import { blockQuery, blockSummaryQuery, blockTransactionsQuery, pageSize } from "@/lib/query/queries";
import type { WireBlock } from "@/lib/query/wire";

type ListProps = { cursor: string | undefined; filter: ShownFilter };

export function BlockTransactions({ name, ...list }: { name: BlockName } & ListProps) {
  const { data: block } = useQuery(blockQuery(useSource(), name));
  return block ? <Transactions block={block} {...list} /> : null;
}

/** "20 transactions, 3 failed, 2 payments" */
function useSummary(block: WireBlock): string {
  const { data } = useQuery(blockSummaryQuery(useSource(), Number(block.number)));
  const found = data?.items.find(({ hash }) => hash === block.hash);
  const count = block.transactions.length;
  const failed = Number(found?.failed ?? 0);
  const payments = Number(found?.payments ?? 0);
  return [
    `${count} ${plural(count, "transaction")}`,
    failed > 0 && `${failed} failed`,
    payments > 0 && `${payments} ${plural(payments, "payment")}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function Transactions({ block, cursor, filter }: { block: WireBlock } & ListProps) {
  const source = useSource();
  const network = useNetwork();
  const count = block.transactions.length;
  const path = toBlockPath(source.network, Number(block.number));
  const query = blockTransactionsQuery(source, block.number, cursor, pageSize, toFilterFields(filter));
  return (
    <ListSheet
      id="transactions"
      title={useSummary(block)}
      caption="Transactions"
      aside={<DataLinks csv method="explorer_getBlockTransactions" params={[block.number, toFilterFields(filter)]} />}
      filters={count > 1 && <TransactionFilters path={path} filter={filter} />}
      query={query}
      columns={(rows) =>
        toTransactionColumns({
          inBlock: true,
          isFailed: filter.kind === "failed",
          values: toValueShape(network, rows),
        })
      }
      getKey={getTransactionKey}
      rows={Math.min(count, pageSize)}
      loadingLabel="Loading transactions"
      path={toFilteredPath(path, filter)}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      empty={isFiltered(filter) ? "No transactions match" : "No transactions in this block"}
    />
  );
}

export function BlockReceipts({ name }: { name: BlockName }) {
  const { data: block } = useQuery(blockQuery(useSource(), name));
  return block ? <Receipts number={block.number} count={block.transactions.length} /> : null;
}

function Receipts({ number, count }: { number: `0x${string}`; count: number }) {
  const query = blockReceiptsQuery(useSource(), number);
  return (
    <Sheet
      id="receipts"
      title={`${count} ${plural(count, "receipt")}`}
      aside={<DataLinks method="eth_getBlockReceipts" params={[number]} />}
    >
      <QueryContent query={query} rows={6}>
        {(receipts) =>
          receipts?.length ? (
            <DataTable
              caption="Receipts"
              columns={receiptColumns}
              rows={receipts}
              getKey={(row) => row.transactionHash}
            />
          ) : (
            <Empty title="No receipts: this block has no transactions" />
          )
        }
      </QueryContent>
    </Sheet>
  );
}
