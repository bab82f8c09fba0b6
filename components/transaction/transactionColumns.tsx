/** The columns for lists of transactions, in the same order as on other explorers. */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost, ListedTokenAmount, listDigits, NativeAmount } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Hinted } from "@/components/atoms/Hinted";
import { isPaymentMethod, Method } from "@/components/atoms/Method";
import { Status, toStatusName } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { loadedLater } from "@/components/layout/loadedLater";
import { useSource } from "@/components/layout/NetworkContext";
import { AgeHead, ListedAge } from "@/components/lists/ageColumn";
import { type AmountShape, toAmountShape } from "@/components/lists/amountShape";
import type { Column } from "@/components/lists/DataTable";
import { toCellOnce } from "@/components/lists/movementColumns";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { withTabletLine } from "@/components/lists/withTabletLine";
import { toFilteredPath, toSectionPath } from "@/lib/links";
import { findToken, type PageNetwork } from "@/lib/networks";
import type { PendingSummary, TransactionSummary } from "@/lib/query/wire";

type Row = TransactionSummary | PendingSummary;
type MethodRow = Pick<Row, "to" | "selector" | "method">;

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

/**
 * The amount moved, in the native currency. If that amount is zero and the transaction transferred tokens, shows the
 * token amount instead.
 */
export function Value({ row, fractionDigits = listDigits, unitAligned = true }: { row: Row } & Partial<AmountShape>) {
  const wei = BigInt(row.value);
  if (wei > 0n || row.tokenTransfer === null) {
    return <NativeAmount wei={wei} fractionDigits={fractionDigits} unitAligned={unitAligned} />;
  }
  const { token, amount, others } = row.tokenTransfer;
  return (
    <ListedTokenAmount
      token={token}
      units={BigInt(amount)}
      others={Number(others)}
      fractionDigits={fractionDigits}
      unitAligned={unitAligned}
    />
  );
}

export function toValueShape(network: PageNetwork, rows: readonly Row[]): AmountShape {
  const amounts = rows.map(({ value, tokenTransfer }) => {
    if (BigInt(value) > 0n || tokenTransfer === null) return { units: BigInt(value), unit: network.nativeCurrency };
    return { units: BigInt(tokenTransfer.amount), unit: findToken(network, tokenTransfer.token) };
  });
  return toAmountShape(amounts);
}

/** Links to the transactions that call the same method. */
function MethodLink({ row }: { row: MethodRow }) {
  const { network } = useSource();
  const badge = <Method selector={row.selector} name={row.method} creates={row.to === null} />;
  const filter = row.to === null ? { kind: "creation" } : { method: row.method ?? row.selector ?? "" };
  if (row.to !== null && row.selector === null) return badge;
  return (
    <AppLink bare={row.to !== null} href={toFilteredPath(toSectionPath(network, "txs"), filter)}>
      {badge}
    </AppLink>
  );
}

/** On the narrowest screens, a name would be cut after a few letters. */
const MethodCell = ({ row }: { row: MethodRow }) => (
  <span className="max-[22rem]:hidden">
    <MethodLink row={row} />
  </span>
);

type Called = { transactionHash: string; calledContract: MethodRow["to"] } & Omit<MethodRow, "to">;

/** What a transfer's transaction called. */
export const toActionColumn = <Row extends Called>(rows: readonly Row[]): Column<Row> => ({
  id: "method",
  head: "Action",
  width: "md:w-22 lg:w-28 2xl:w-36",
  cell: toCellOnce(rows, ({ calledContract, selector, method }) => (
    <MethodCell row={{ to: calledContract, selector, method }} />
  )),
});

/** A list of one address's transactions. */
type AddressView<Shown extends Row> = {
  /** The address, in lowercase. */
  current: string;
  /**
   * Shows the address's role in the transaction, such as "in". With it, the other party is in one column; without it, both
   * parties have columns.
   */
  toTag?: (row: Shown) => ReactNode;
};

/**
 * The token transfer whose parties a row shows instead of the transaction's: a payment is between the payer and the
 * payee, although the facilitator sends it to the token or to a proxy. The transaction must call one of them and move
 * nothing else. In a list of an address, the address must be the token or one of the parties, and the transaction may
 * also be between two others.
 */
export function findOwnTransfer(row: Row, current: string | undefined) {
  const transfer = row.tokenTransfer;
  if (!transfer) return undefined;
  const callsToken = row.to === transfer.token || (isPaymentMethod(row.method) && Number(transfer.others) === 0);
  if (current === undefined || current === transfer.token)
    return callsToken && BigInt(row.value) === 0n ? transfer : undefined;
  if (transfer.from !== current && transfer.to !== current) return undefined;
  return callsToken || (row.from !== current && row.to !== current) ? transfer : undefined;
}

function Sender({ row, current }: { row: Row; current: string | undefined }) {
  const address = findOwnTransfer(row, current)?.from ?? row.from;
  return <AddressLink address={address} current={address === current} />;
}

/** A failed deployment has an address too, but there is no contract. */
function Recipient({ row, current }: { row: Row; current: string | undefined }) {
  const transfer = findOwnTransfer(row, current);
  const created = Number(row.status ?? 1) === 1 ? row.contractAddress : null;
  const address = transfer?.to ?? row.to ?? created;
  if (address === null) return <span className="text-ink-3">Contract creation</span>;
  return (
    <AddressLink
      address={address}
      contract={!transfer && row.to === null}
      current={address.toLowerCase() === current}
    />
  );
}

const hash: Column<Row> = {
  id: "hash",
  head: "Transaction",
  narrow: "lead",
  cell: (row) => (
    <span className="flex items-center gap-2.5 md:max-lg:gap-2 max-sm:gap-1.5 max-sm:[&>.identifier]:gap-1">
      <StatusMark row={row} />
      <TxLink hash={row.hash} />
    </span>
  ),
};
/** On tablets, a list of failed transactions has no room for the age and block, so they are below the hash there. */
const agedHash: Column<Row> = {
  ...hash,
  cell: (row, place) => (
    <>
      {hash.cell(row, place)}
      {row.timestamp !== null && (
        <span className="hidden whitespace-nowrap pl-11.5 text-12 text-ink-2 md:max-lg:block">
          <ListedAge className="" timestamp={Number(row.timestamp)} /> · {block.cell(row, place)}
        </span>
      )}
    </>
  ),
};
const method: Column<Row> = {
  id: "method",
  head: "Action",
  width: "md:w-24 lg:w-36",
  narrow: "middle",
  cell: (row) => <MethodCell row={row} />,
};
const block: Column<Row> = {
  id: "block",
  head: "Block",
  width: "md:w-24 max-lg:hidden",
  cell: (row) => row.blockNumber !== null && <BlockLink number={Number(row.blockNumber)} />,
};
const age: Column<Row> = {
  id: "age",
  head: <AgeHead />,
  width: "md:w-21 lg:w-24",
  narrow: "trail",
  cell: (row) => row.timestamp !== null && <ListedAge timestamp={Number(row.timestamp)} />,
};
const toValueColumn = (shape: AmountShape | undefined, width = "md:w-37 lg:w-44"): Column<Row> => ({
  id: "value",
  head: "Value",
  align: "right",
  width,
  narrow: "belowTrail",
  cell: (row) => <Value row={row} {...shape} />,
});
/** Only the widest screens have room for the account that sent the transaction, besides the parties of its transfer. */
const sentBy: Column<Row> = {
  id: "sentBy",
  head: "Sent by",
  width: "2xl:w-48 max-2xl:hidden",
  cell: (row) => <AddressLink address={row.from} />,
};
/** Shown instead of the value in a list of failed transactions, because they moved nothing. */
const reason: Column<Row> = {
  id: "reason",
  head: "Reason",
  width: "md:w-58 lg:w-48 xl:w-68",
  narrow: "last",
  cell: (row) => <FailureReason hash={row.hash} />,
};
const fee: Column<Row> = {
  id: "fee",
  head: "Fee",
  align: "right",
  width: "w-32 max-lg:hidden",
  cell: (row) => (
    <span className="text-ink-2">
      <Fee row={row} />
    </span>
  ),
};

function Fee({ row: { gasUsed, effectiveGasPrice } }: { row: Row }) {
  if (gasUsed === null || effectiveGasPrice === null) return null;
  return <GasCost aligned wei={BigInt(gasUsed) * BigInt(effectiveGasPrice)} />;
}

/** On phones, a third line. */
const toLastColumn = (inBlock: boolean): Column<Row> => ({
  id: "last",
  head: inBlock ? "Fee" : "Block and fee",
  width: "md:hidden",
  narrow: "last",
  cell: (row) => (
    <span className="flex flex-wrap justify-between gap-x-3 text-ink-2">
      {!inBlock && row.blockNumber !== null && (
        <span>
          Block <BlockLink number={Number(row.blockNumber)} />
        </span>
      )}
      {row.gasUsed !== null && (
        <span className="ml-auto">
          Fee <Fee row={row} />
        </span>
      )}
    </span>
  ),
});

const toFee = (row: Row) => <Fee row={row} />;

const partiesHint = "If the transaction transfers a token, the parties of that transfer";

function toParties<Shown extends Row>(view: AddressView<Shown> | undefined): Column<Shown>[] {
  const current = view?.current;
  const toTag = view?.toTag;
  const columns: Column<Shown>[] = [
    {
      id: "from",
      head: <Hinted hint={partiesHint}>From</Hinted>,
      cell: (row) => <Sender row={row} current={current} />,
    },
    {
      id: "to",
      head: <Hinted hint={partiesHint}>To</Hinted>,
      cell: (row) => <Recipient row={row} current={current} />,
    },
  ];
  return [
    ...(toTag ? [toTagColumn(toTag)] : columns),
    {
      id: "parties",
      head: toTag ? <Hinted hint={partiesHint}>Other party</Hinted> : "From and to",
      width: toTag ? "" : "md:hidden",
      narrow: "below",
      cell: (row) => (
        // Tablets have no room for two parties on one line. The second one follows an arrow of 1 rem.
        <span
          className={
            view &&
            "max-md:[&_.parties]:flex-wrap md:max-xl:[&_.parties:not(.parties-alone)]:flex-col md:max-xl:[&_.parties:not(.parties-alone)]:items-start md:max-xl:[&_.parties>.identifier]:ml-5.5 md:max-xl:[&_.parties:not(.parties-alone)]:py-1.5"
          }
        >
          <Parties row={row} current={current} />
        </span>
      ),
    },
  ];
}

/** Shows the sender and the recipient in one cell, for narrow layouts. Leaves out the address of the page. */
function Parties({ row, current, compact = false }: { row: Row; current?: string | undefined; compact?: boolean }) {
  const transfer = findOwnTransfer(row, current);
  const from = transfer?.from ?? row.from;
  const to = transfer?.to ?? row.to;
  return (
    <PartiesCell
      compact={compact}
      {...(from !== current && { from: <Sender row={row} current={current} /> })}
      {...(to !== current && { to: <Recipient row={row} current={current} /> })}
    />
  );
}

function toTagColumn<Shown extends Row>(toTag: (row: Shown) => ReactNode): Column<Shown> {
  return {
    id: "tag",
    head: "Direction",
    width: "max-md:flex-none! md:w-21 lg:w-24",
    narrow: "middle",
    cell: toTag,
  };
}

/**
 * `isFailed` is set if the list has only failed transactions, and `values` says how the column of values aligns.
 */
export function toTransactionColumns<Shown extends Row>({
  view,
  inBlock = false,
  isFailed,
  values,
}: {
  view?: AddressView<Shown>;
  inBlock?: boolean;
  isFailed?: boolean;
  values?: AmountShape;
}): Column<Shown>[] {
  const hasTags = view?.toTag !== undefined;
  const hasRoom = !hasTags && !isFailed;
  const shownAge = isFailed ? { ...age, width: "lg:w-24 md:max-lg:hidden" } : withTabletLine(age, "block", block.cell);
  const value = toValueColumn(values, hasTags ? "md:w-38" : undefined);
  return [
    {
      ...(isFailed && !inBlock ? agedHash : hash),
      // Without a direction, there is room for more digits.
      width: `md:w-38 lg:w-44 2xl:w-60 ${hasTags ? "" : "xl:max-2xl:w-54"} ${isFailed ? "md:max-lg:py-1.5" : ""}`,
    },
    hasRoom ? method : { ...method, width: "md:w-20 lg:w-28 2xl:w-36" },
    ...(inBlock ? [] : [block, shownAge]),
    // The sender pays the fee. Other lists have it below the value.
    ...toParties(view).map((column) =>
      isFailed && column.id === "from" ? withTabletLine(column, "fee", toFee) : column,
    ),
    ...(isFailed || view ? [] : [sentBy]),
    isFailed ? reason : withTabletLine(value, "fee", toFee),
    fee,
    toLastColumn(inBlock),
  ];
}

/** Columns for the start page, which shows several lists side by side. */
export const toCompactTransactionColumns = (values: AmountShape): Column<Row>[] => [
  { ...hash, width: "md:w-40" },
  { id: "parties", head: "From and to", narrow: "below", cell: (row) => <Parties compact row={row} /> },
  // On phones, the amount is above the age, as in the list of payments beside this list.
  { ...toValueColumn(values, "md:w-38"), narrow: "trail" },
  { ...age, width: "md:w-24", align: "right", narrow: "belowTrail" },
];
