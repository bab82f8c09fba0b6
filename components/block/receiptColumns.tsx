"use client";
/** The columns for the list of a block's receipts. */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost, GasPrice } from "@/components/atoms/Amount";
import { Hinted } from "@/components/atoms/Hinted";
import { Status } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { withTabletLine } from "@/components/lists/withTabletLine";
import { isFailed } from "@/components/transaction/transactionItems";
import { toFeeWei } from "@/lib/decode/internals";
import { toTransactionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import type { WireReceipt } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

const fee = <Hinted hint="Gas used × gas price, plus the blob gas fee if there is one">Fee</Hinted>;

export const receiptColumns: Column<WireReceipt>[] = [
  {
    id: "hash",
    head: "Transaction",
    narrow: "lead",
    width: "md:w-33 lg:w-44 xl:w-48 2xl:w-60",
    cell: (row) => <TxLink hash={row.transactionHash} />,
  },
  withTabletLine(
    {
      id: "status",
      head: "Status",
      narrow: "trail",
      width: "md:w-23 lg:w-30",
      cell: (row) => (
        <span className="flex items-center gap-3 max-md:justify-end">
          <span className="md:hidden">
            <LogCount row={row} />
          </span>
          {row.status !== undefined && <Status name={Number(row.status) === 1 ? "success" : "failed"} />}
        </span>
      ),
    },
    "logs",
    (row) => <LogCount row={row} />,
  ),
  {
    id: "from",
    head: (
      <Hinted hint="The account that sent the transaction, even if it moved another account’s tokens">Sent by</Hinted>
    ),
    cell: (row) => <AddressLink address={row.from} />,
  },
  {
    id: "to",
    head: (
      <Hinted hint="The account or contract that was called, even if it moved tokens to another account">To</Hinted>
    ),
    cell: (row) => <Recipient row={row} />,
  },
  {
    id: "parties",
    head: "From and to",
    width: "md:hidden",
    narrow: "below",
    cell: (row) => <PartiesCell from={<AddressLink address={row.from} />} to={<Recipient row={row} />} />,
  },
  {
    id: "prices",
    head: "Gas price and fee",
    width: "md:hidden",
    narrow: "last",
    cell: (row) => (
      <span className="flex flex-wrap justify-between gap-x-3 text-ink-2">
        <span>
          Gas price <Price row={row} />
        </span>
        <span>
          {fee} <GasCost aligned wei={toFeeWei(row)} />
        </span>
        <span className="basis-full">
          Cumulative gas <CumulativeGas row={row} />
        </span>
      </span>
    ),
  },
  {
    id: "logs",
    head: "Logs",
    align: "right",
    width: "lg:w-16 max-lg:hidden",
    cell: (row) =>
      row.logs.length === 0 ? <span className="text-ink-3">0</span> : <LogsLink row={row}>{row.logs.length}</LogsLink>,
  },
  {
    id: "price",
    head: "Gas price",
    align: "right",
    width: "lg:w-34 max-lg:hidden",
    cell: (row) => (
      <span className="text-ink-2">
        <Price row={row} />
      </span>
    ),
  },
  {
    id: "gas",
    head: (
      <>
        Gas used<span className="hidden md:max-xl:inline">, cumulative</span>
      </>
    ),
    align: "right",
    width: "md:w-35 md:max-xl:py-1.5 xl:w-26",
    narrow: "belowTrail",
    cell: (row) => (
      <>
        {formatInteger(BigInt(row.gasUsed))}
        <span className="text-ink-3 md:hidden"> gas</span>
        {/* Only wide screens have room for another column. */}
        <span className="hidden text-12 text-ink-3 leading-4 md:max-xl:block">
          <CumulativeGas row={row} />
        </span>
      </>
    ),
  },
  {
    id: "cumulative",
    head: "Cumulative gas",
    align: "right",
    width: "xl:w-34 max-xl:hidden",
    cell: (row) => (
      <span className="text-ink-2">
        <CumulativeGas row={row} />
      </span>
    ),
  },
  withTabletLine(
    {
      id: "fee",
      head: fee,
      align: "right",
      width: "md:w-34 xl:w-36",
      cell: (row) => (
        <span className="text-ink-2">
          <GasCost aligned wei={toFeeWei(row)} />
        </span>
      ),
    },
    "gas price",
    (row) => <Price row={row} />,
  ),
];

function Price({ row }: { row: WireReceipt }) {
  return <GasPrice wei={BigInt(row.effectiveGasPrice)} />;
}

const CumulativeGas = ({ row }: { row: WireReceipt }) => formatInteger(BigInt(row.cumulativeGasUsed));

function LogCount({ row }: { row: WireReceipt }) {
  const count = row.logs.length;
  if (count === 0) return <span className="text-ink-3">0 logs</span>;
  return (
    <LogsLink row={row}>
      {count} {plural(count, "log")}
    </LogsLink>
  );
}

function LogsLink({ row, children }: { row: WireReceipt; children: ReactNode }) {
  const { name } = useNetwork();
  return <AppLink href={`${toTransactionPath(name, row.transactionHash)}/logs`}>{children}</AppLink>;
}

/** The transaction's recipient, or the contract that it created. A failed deployment has an address, but no contract. */
function Recipient({ row }: { row: WireReceipt }) {
  const { to, contractAddress } = row;
  if (to) return <AddressLink address={to} />;
  return contractAddress && !isFailed(row) ? (
    <AddressLink contract address={contractAddress} />
  ) : (
    <span className="text-ink-3 md:max-lg:whitespace-normal">Contract creation</span>
  );
}
