"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasPrice } from "@/components/atoms/Amount";
import { Status } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import type { BlockName } from "@/components/block/BlockScreen";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { QueryContent } from "@/components/lists/QueryContent";
import { TransactionFilters } from "@/components/transaction/TransactionFilters";
import { getTransactionKey, toTransactionColumns, toValueShape } from "@/components/transaction/transactionColumns";
import { isFiltered, type ShownFilter, toFilterFields } from "@/components/transaction/transactionFilter";
import { toBlockPath, toFilteredPath, toTransactionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { blockReceiptsQuery } from "@/lib/query/explorerQueries";
import { blockQuery, blockSummaryQuery, blockTransactionsQuery, pageSize } from "@/lib/query/queries";
import type { WireBlock, WireReceipt } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

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

const receiptColumns: Column<WireReceipt>[] = [
  {
    id: "hash",
    head: "Transaction",
    narrow: "lead",
    width: "md:w-36 lg:w-44",
    cell: (row) => <TxLink hash={row.transactionHash} />,
  },
  {
    id: "status",
    head: "Status",
    narrow: "trail",
    width: "md:w-26 lg:w-32",
    cell: (row) => (
      <span className="flex items-center gap-3 max-md:justify-end">
        <span className="text-ink-2 md:hidden">
          {row.logs.length} {plural(row.logs.length, "log")}
        </span>
        {row.status !== undefined && <Status name={Number(row.status) === 1 ? "success" : "failed"} />}
      </span>
    ),
  },
  { id: "from", head: "From", cell: (row) => <AddressLink address={row.from} /> },
  { id: "to", head: "To", cell: (row) => <Recipient row={row} /> },
  {
    id: "parties",
    head: "From and to",
    width: "md:hidden",
    narrow: "below",
    cell: (row) => <PartiesCell from={<AddressLink address={row.from} />} to={<Recipient row={row} />} />,
  },
  {
    id: "logs",
    head: "Logs",
    align: "right",
    width: "md:w-16 lg:w-24",
    cell: (row) =>
      row.logs.length === 0 ? <span className="text-ink-3">0</span> : <LogsLink row={row}>{row.logs.length}</LogsLink>,
  },
  {
    id: "price",
    head: "Gas price",
    align: "right",
    width: "md:w-36 max-lg:hidden",
    cell: (row) => (
      <span className="text-ink-2">
        <GasPrice wei={BigInt(row.effectiveGasPrice)} />
      </span>
    ),
  },
  {
    id: "gas",
    head: "Gas used",
    align: "right",
    width: "md:w-26 lg:w-32",
    narrow: "belowTrail",
    cell: (row) => (
      <>
        {formatInteger(BigInt(row.gasUsed))}
        <span className="text-ink-3 md:hidden"> gas</span>
      </>
    ),
  },
  {
    id: "cumulative",
    head: "Cumulative gas",
    align: "right",
    width: "md:w-36 max-lg:hidden",
    cell: (row) => <span className="text-ink-2">{formatInteger(BigInt(row.cumulativeGasUsed))}</span>,
  },
];

function LogsLink({ row, children }: { row: WireReceipt; children: ReactNode }) {
  const { name } = useNetwork();
  return <AppLink href={`${toTransactionPath(name, row.transactionHash)}/logs`}>{children}</AppLink>;
}

/** The transaction's recipient, or the contract that it created. A failed deployment has neither. */
function Recipient({ row: { to, contractAddress } }: { row: WireReceipt }) {
  if (to) return <AddressLink address={to} />;
  return contractAddress ? (
    <AddressLink contract address={contractAddress} />
  ) : (
    <span className="text-ink-3">Contract creation</span>
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
