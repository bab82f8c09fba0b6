/** The columns of a list of blocks. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { GasPrice } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { GasBar } from "@/components/atoms/GasBar";
import { Hash } from "@/components/atoms/Hash";
import type { Column } from "@/components/lists/DataTable";
import { plural } from "@/lib/plural";
import type { BlockSummary } from "@/lib/query/wire";
import { formatBytes, toPercent } from "@/lib/units";

const number: Column<BlockSummary> = {
  id: "number",
  head: "Block",
  narrow: "lead",
  cell: (block) => (
    <BlockLink number={Number(block.number)} fillPercent={toPercent(BigInt(block.gasUsed), BigInt(block.gasLimit))} />
  ),
};
const age: Column<BlockSummary> = {
  id: "age",
  head: "Age",
  narrow: "trail",
  cell: (block) => <Age timestamp={Number(block.timestamp)} className="text-ink-2" />,
};
const transactions: Column<BlockSummary> = {
  id: "transactions",
  head: "Transactions",
  align: "right",
  narrow: "below",
  cell: (block) => {
    const count = Number(block.transactionCount);
    return (
      <span className={count === 0 ? "text-ink-3" : undefined}>
        {count}
        <span className="md:hidden"> {plural(count, "transaction")}</span>
      </span>
    );
  },
};
const gas: Column<BlockSummary> = {
  id: "gas",
  head: "Gas used",
  align: "right",
  narrow: "belowTrail",
  cell: (block) => <GasBar compact used={BigInt(block.gasUsed)} limit={BigInt(block.gasLimit)} />,
};

export const blockColumns: Column<BlockSummary>[] = [
  { ...number, width: "md:w-36" },
  { ...age, width: "md:w-28" },
  {
    id: "hash",
    head: "Hash",
    cell: (block) => <Hash value={block.hash} short className="text-ink-2" />,
  },
  { ...transactions, width: "md:w-28" },
  { ...gas, width: "md:w-44" },
  {
    id: "baseFee",
    head: "Base fee",
    align: "right",
    width: "md:w-32",
    cell: (block) => (block.baseFeePerGas === null ? null : <GasPrice wei={BigInt(block.baseFeePerGas)} />),
  },
  {
    id: "size",
    head: "Size",
    align: "right",
    width: "md:w-24",
    cell: (block) => <span className="text-ink-2">{formatBytes(Number(block.size))}</span>,
  },
  {
    id: "miner",
    head: "Fee recipient",
    width: "md:w-44 max-xl:hidden",
    cell: (block) => <AddressLink address={block.miner} />,
  },
];

/** For the start page, which shows two lists side by side. */
export const compactBlockColumns: Column<BlockSummary>[] = [
  { ...number, width: "md:w-32" },
  { ...transactions, width: "md:w-20" },
  gas,
  { ...age, width: "md:w-24", align: "right" },
];
