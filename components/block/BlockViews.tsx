"use client";
/** The views of a block: its transactions and their receipts. */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Status } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import type { BlockName } from "@/components/block/BlockScreen";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { TransactionList } from "@/components/transaction/TransactionList";
import { toTransactionColumns } from "@/components/transaction/transactionColumns";
import { toBlockPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { blockReceiptsQuery } from "@/lib/query/explorerQueries";
import { blockQuery, blockTransactionsQuery, pageSize } from "@/lib/query/queries";
import type { WireBlock, WireReceipt } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

export function BlockTransactions({ name, cursor }: { name: BlockName; cursor?: string }) {
  const { data: block } = useQuery(blockQuery(useSource(), name));
  return block ? <Transactions block={block} cursor={cursor} /> : null;
}

function Transactions({ block, cursor }: { block: WireBlock; cursor: string | undefined }) {
  const source = useSource();
  const result = useQuery(blockTransactionsQuery(source, block.number, cursor));
  const count = block.transactions.length;
  return (
    <TransactionList
      title={`${count} ${plural(count, "transaction")}`}
      aside={<DataLinks csv method="explorer_getBlockTransactions" params={[block.number]} />}
      result={result}
      method="explorer_getBlockTransactions"
      columns={toTransactionColumns({ inBlock: true })}
      rows={Math.min(count, pageSize)}
      path={toBlockPath(source.network, Number(block.number))}
      cursor={cursor}
      empty={<Empty title="No transactions in this block" />}
    />
  );
}

const receiptColumns: Column<WireReceipt>[] = [
  {
    id: "hash",
    head: "Transaction",
    narrow: "lead",
    cell: (row) => <TxLink hash={row.transactionHash} characters={17} />,
  },
  {
    id: "status",
    head: "Status",
    narrow: "trail",
    width: "sm:w-28",
    cell: (row) => row.status !== undefined && <Status name={Number(row.status) === 1 ? "success" : "failed"} />,
  },
  {
    id: "gas",
    head: "Gas used",
    align: "right",
    width: "sm:w-28",
    narrow: "belowTrail",
    cell: (row) => (
      <>
        {formatInteger(BigInt(row.gasUsed))}
        <span className="text-ink-3 sm:hidden"> gas</span>
      </>
    ),
  },
  {
    id: "cumulative",
    head: "Cumulative gas",
    align: "right",
    width: "sm:w-36",
    cell: (row) => <span className="text-ink-2">{formatInteger(BigInt(row.cumulativeGasUsed))}</span>,
  },
  {
    id: "logs",
    head: "Logs",
    align: "right",
    width: "sm:w-20",
    cell: (row) => <span className={row.logs.length === 0 ? "text-ink-3" : ""}>{row.logs.length}</span>,
  },
  {
    id: "created",
    head: "Created",
    width: "sm:w-48",
    narrow: "below",
    cell: (row) => row.contractAddress && <AddressLink contract address={row.contractAddress} />,
  },
];

export function BlockReceipts({ name }: { name: BlockName }) {
  const { data: block } = useQuery(blockQuery(useSource(), name));
  return block ? <Receipts number={block.number} /> : null;
}

function Receipts({ number }: { number: `0x${string}` }) {
  const { data, error, refetch } = useQuery(blockReceiptsQuery(useSource(), number));
  return (
    <Sheet
      id="receipts"
      title={`${data?.length ?? 0} ${plural(data?.length ?? 0, "receipt")}`}
      aside={<DataLinks method="eth_getBlockReceipts" params={[number]} />}
    >
      {data ? (
        data.length === 0 ? (
          <Empty title="This block has no transactions, and so no receipts" />
        ) : (
          <DataTable caption="Receipts" columns={receiptColumns} rows={data} getKey={(row) => row.transactionHash} />
        )
      ) : error ? (
        <QueryFailure error={error} method="eth_getBlockReceipts" onRetry={refetch} />
      ) : (
        <SkeletonRows rows={6} label="Loading rows" />
      )}
    </Sheet>
  );
}
