/** The columns for lists of transactions, in the same order as on other explorers. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { GasCost, ListedTokenAmount, NativeAmount } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Method } from "@/components/atoms/Method";
import { Status, toStatusName } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { loadedLater } from "@/components/layout/loadedLater";
import { useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { toFilteredPath, toSectionPath } from "@/lib/links";
import type { PendingSummary, TransactionSummary } from "@/lib/query/wire";

type Row = TransactionSummary | PendingSummary;

export const getTransactionKey = (transaction: TransactionSummary) => transaction.hash;

function StatusMark({ row }: { row: Row }) {
  if ("poolStatus" in row) return <Status name={toStatusName(row.poolStatus)} iconOnly />;
  if (row.status === null) return null;
  return <Status name={Number(row.status) === 1 ? "success" : "failed"} iconOnly />;
}

const FailureReason = loadedLater(
  () => import("./FailureReason").then((module) => module.FailureReason),
  () => <span className="skeleton w-28" />,
);

/** Decimals that a list shows; the tooltip has all of them. */
const valueDigits = 6;

/**
 * The amount moved, in the native currency. If that amount is zero and the transaction transferred tokens, shows the
 * token amount instead.
 */
function Value({ row, fractionDigits = valueDigits }: { row: Row; fractionDigits?: number }) {
  const wei = BigInt(row.value);
  if (wei > 0n || row.tokenTransfer === null) {
    return <NativeAmount wei={wei} fractionDigits={fractionDigits} unitAligned />;
  }
  const { token, amount, others } = row.tokenTransfer;
  return (
    <ListedTokenAmount token={token} units={BigInt(amount)} others={Number(others)} fractionDigits={fractionDigits} />
  );
}

/** Links to the transactions that call the same method. */
function MethodLink({ row }: { row: Row }) {
  const { network } = useSource();
  const badge = <Method selector={row.selector} name={row.method} creates={row.to === null} />;
  const filter = row.to === null ? { kind: "creation" } : { method: row.method ?? row.selector ?? "" };
  if (row.to !== null && row.selector === null) return badge;
  return (
    <AppLink bare href={toFilteredPath(toSectionPath(network, "txs"), filter)}>
      {badge}
    </AppLink>
  );
}

function Recipient({ row, current }: { row: Row; current: string | undefined }) {
  const address = row.to ?? row.contractAddress;
  if (address === null) return <span className="text-ink-3">Contract creation</span>;
  return <AddressLink address={address} contract={row.to === null} current={address.toLowerCase() === current} />;
}

const hash: Column<Row> = {
  id: "hash",
  head: "Transaction",
  narrow: "lead",
  cell: (row) => (
    <span className="flex items-center gap-2.5">
      <StatusMark row={row} />
      <TxLink hash={row.hash} />
    </span>
  ),
};
const method: Column<Row> = {
  id: "method",
  head: "Method",
  width: "md:w-28 lg:w-36 xl:w-52",
  cell: (row) => <MethodLink row={row} />,
};
const block: Column<Row> = {
  id: "block",
  head: "Block",
  width: "md:w-24 max-lg:hidden",
  cell: (row) => row.blockNumber !== null && <BlockLink number={Number(row.blockNumber)} />,
};
const age: Column<Row> = {
  id: "age",
  head: "Age",
  width: "md:w-24",
  narrow: "trail",
  cell: (row) => row.timestamp !== null && <Age timestamp={Number(row.timestamp)} className="text-ink-2" />,
};
const value: Column<Row> = {
  id: "value",
  head: <span className="md:pr-13">Value</span>,
  align: "right",
  width: "md:w-44",
  narrow: "belowTrail",
  cell: (row) => <Value row={row} />,
};
/** Shown instead of the value in a list of failed transactions, because they moved nothing. */
const reason: Column<Row> = {
  id: "reason",
  head: "Reason",
  width: "md:w-44 lg:w-60",
  narrow: "belowTrail",
  cell: (row) => <FailureReason hash={row.hash} />,
};
const fee: Column<Row> = {
  id: "fee",
  head: "Fee",
  align: "right",
  width: "md:w-36 max-lg:hidden",
  cell: (row) =>
    row.gasUsed !== null &&
    row.effectiveGasPrice !== null && (
      <span className="text-ink-2">
        <GasCost wei={BigInt(row.gasUsed) * BigInt(row.effectiveGasPrice)} />
      </span>
    ),
};

/** For lists with a direction column. That column leaves less space for the fee on a medium screen. */
const roomyFee: Column<Row> = { ...fee, width: "md:w-36 max-xl:hidden" };

function toParties(current: string | undefined): Column<Row>[] {
  return [
    {
      id: "from",
      head: "From",
      cell: (row) => <AddressLink address={row.from} current={row.from === current} />,
    },
    ...(current === undefined ? [] : [toDirection(current)]),
    { id: "to", head: "To", cell: (row) => <Recipient row={row} current={current} /> },
    {
      id: "parties",
      head: "From and to",
      width: "md:hidden",
      narrow: "below",
      cell: (row) => <Parties row={row} current={current} />,
    },
  ];
}

/** Shows the sender and the recipient in one cell, for narrow layouts. */
function Parties({ row, current, compact = false }: { row: Row; current?: string | undefined; compact?: boolean }) {
  return (
    <PartiesCell
      compact={compact}
      from={<AddressLink address={row.from} current={row.from === current} />}
      to={<Recipient row={row} current={current} />}
    />
  );
}

function toDirection(current: string): Column<Row> {
  return {
    id: "direction",
    head: <span className="sr-only">Direction</span>,
    width: "md:w-14",
    cell: (row) => {
      const out = row.from === current;
      const self = out && row.to === current;
      const word = self ? "self" : out ? "out" : row.to === current ? "in" : "via";
      return <span className="method">{word}</span>;
    },
  };
}

/**
 * `current` is the address whose page shows the list, in lowercase. `isFailed` is set if the list has only failed
 * transactions.
 */
export function toTransactionColumns({
  current,
  inBlock,
  isFailed,
}: {
  current?: string;
  inBlock?: boolean;
  isFailed?: boolean;
}): Column<Row>[] {
  const place = inBlock ? [] : [block, age];
  return [
    { ...hash, width: "md:w-44" },
    current === undefined ? method : { ...method, width: `${method.width} max-lg:hidden` },
    ...place,
    ...toParties(current),
    isFailed ? reason : value,
    current === undefined ? fee : roomyFee,
  ];
}

/** Columns for the start page, which shows two lists side by side. */
export const compactTransactionColumns: Column<Row>[] = [
  { ...hash, width: "md:w-40" },
  { id: "parties", head: "From and to", narrow: "below", cell: (row) => <Parties compact row={row} /> },
  { ...value, width: "md:w-36", cell: (row) => <Value row={row} fractionDigits={3} /> },
  { ...age, width: "md:w-24", align: "right" },
];
