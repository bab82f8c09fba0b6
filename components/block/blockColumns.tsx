import { GasPrice } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Hash } from "@/components/atoms/Hash";
import { Hinted } from "@/components/atoms/Hinted";
import { AgeHead, ListedAge } from "@/components/lists/ageColumn";
import type { Column } from "@/components/lists/DataTable";
import { plural } from "@/lib/plural";
import type { BlockSummary } from "@/lib/query/wire";
import { formatBytes, formatInteger, formatPercent } from "@/lib/units";

function BaseFee({ block: { baseFeePerGas } }: { block: BlockSummary }) {
  return baseFeePerGas !== null && <GasPrice wei={BigInt(baseFeePerGas)} />;
}

const number: Column<BlockSummary> = {
  id: "number",
  head: "Block",
  narrow: "lead",
  cell: (block) => <BlockLink number={Number(block.number)} />,
};
const age: Column<BlockSummary> = {
  id: "age",
  head: <AgeHead />,
  narrow: "trail",
  cell: (block) => <ListedAge timestamp={Number(block.timestamp)} />,
};
const transactions: Column<BlockSummary> = {
  id: "transactions",
  head: "Transactions",
  align: "right",
  narrow: "below",
  cell: (block) => {
    const count = Number(block.transactionCount);
    const failed = Number(block.failed ?? 0);
    return (
      <span className={count === 0 ? "text-ink-3" : undefined}>
        {failed > 0 && <span className="text-neg max-md:hidden">{failed} failed · </span>}
        {count}
        <span className="md:hidden"> {plural(count, "transaction")}</span>
        {failed > 0 && <span className="text-neg md:hidden"> · {failed} failed</span>}
        {Number(block.payments ?? 0) > 0 && (
          <span className="text-ink-2 md:hidden">
            {" "}
            · {Number(block.payments)} {plural(Number(block.payments), "payment")}
          </span>
        )}
      </span>
    );
  },
};
const payments: Column<BlockSummary> = {
  id: "payments",
  head: "Payments",
  align: "right",
  cell: ({ payments }) =>
    payments !== null && (
      <span className={Number(payments) === 0 ? "text-ink-3" : undefined}>{formatInteger(BigInt(payments))}</span>
    ),
};
const gas: Column<BlockSummary> = {
  id: "gas",
  head: "Gas used",
  align: "right",
  narrow: "belowTrail",
  cell: (block) => (
    <span
      title={`${formatPercent(BigInt(block.gasUsed), BigInt(block.gasLimit))} of the limit`}
      className={BigInt(block.gasUsed) === 0n ? "text-ink-3" : undefined}
    >
      {formatInteger(BigInt(block.gasUsed))}
      <span className="text-ink-3 md:hidden"> gas</span>
    </span>
  ),
};
/** From 80rem on, there is room for the whole hash. */
const hash: Column<BlockSummary> = {
  id: "hash",
  head: "Hash",
  width: "lg:w-52 min-[80rem]:w-124 2xl:w-128",
  cell: (block) => (
    <span data-lit={block.hash} className="text-ink-2">
      <Hash short value={block.hash} />
    </span>
  ),
};
export const blockColumns: Column<BlockSummary>[] = [
  { ...number, width: "md:w-20 lg:w-24 min-[80rem]:w-20 2xl:w-28" },
  { ...age, width: "md:w-22 lg:w-28 min-[80rem]:w-22 2xl:w-28" },
  hash,
  { ...transactions, width: "md:w-26 lg:w-auto min-[80rem]:w-28 2xl:w-auto" },
  { ...payments, width: "md:w-20 lg:w-auto min-[80rem]:w-24 2xl:w-auto" },
  { ...gas, width: "md:w-20 lg:w-24 2xl:w-auto" },
  {
    id: "gasShare",
    head: <Hinted hint="Gas used as a share of the block’s gas limit">% of limit</Hinted>,
    align: "right",
    width: "lg:w-20 2xl:w-auto max-lg:hidden",
    cell: (block) => <span className="text-ink-2">{formatPercent(BigInt(block.gasUsed), BigInt(block.gasLimit))}</span>,
  },
  {
    id: "baseFee",
    head: "Base fee",
    align: "right",
    width: "md:w-22 lg:w-auto min-[80rem]:w-24 2xl:w-auto",
    cell: (block) => (
      <span className="text-ink-2">
        <BaseFee block={block} />
      </span>
    ),
  },
  {
    id: "size",
    head: "Size",
    align: "right",
    width: "md:w-18 lg:w-auto",
    cell: (block) => <span className="text-ink-2">{formatBytes(Number(block.size))}</span>,
  },
  {
    id: "last",
    head: "Base fee and size",
    width: "md:hidden",
    narrow: "last",
    cell: (block) => (
      <span className="flex justify-between gap-x-3 text-ink-2">
        {block.baseFeePerGas !== null && (
          <span>
            Base fee <BaseFee block={block} />
          </span>
        )}
        <span className="ml-auto">{formatBytes(Number(block.size))}</span>
      </span>
    ),
  },
];

/** Columns for the start page, which shows two lists side by side. */
export const compactBlockColumns: Column<BlockSummary>[] = [
  { ...number, width: "md:w-24 2xl:w-20" },
  // Where the lists are below each other, there is room for it.
  { ...hash, width: "md:w-40 xl:hidden" },
  transactions,
  { ...payments, width: "md:w-28 xl:w-20" },
  { ...gas, width: "md:w-28 2xl:w-24" },
  { ...age, width: "md:w-24", align: "right" },
];
