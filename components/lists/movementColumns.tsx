/** The columns that all lists of transfers have in common: transaction, age, from and to. */
import type { ReactNode } from "react";
import { BlockLink } from "@/components/atoms/BlockLink";
import { TxLink } from "@/components/atoms/TxLink";
import { AgeHead, ListedAge } from "@/components/lists/ageColumn";
import type { Column } from "@/components/lists/DataTable";
import { DirectionTag, toWay } from "@/components/lists/DirectionTag";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { withTabletLine } from "@/components/lists/withTabletLine";

type Movement = { transactionHash: string; blockNumber: string; timestamp: string; from: string; to: string };

/**
 * A cell with a fact about a transaction, which only the first row of the transaction shows. Phones show it in every row,
 * because rows there are separate cards.
 */
export const toCellOnce =
  <Row extends Pick<Movement, "transactionHash">>(rows: readonly Row[], cell: (row: Row) => ReactNode) =>
  (row: Row, place: number) =>
    rows[place - 1]?.transactionHash === row.transactionHash ? (
      <span className="same-above">{cell(row)}</span>
    ) : (
      cell(row)
    );

/**
 * `current` is the address that the list is about, in lowercase. Its rows then have a direction and the other party.
 * `rows` are the list's rows. Only the first row of a transaction shows its hash, block and age.
 */
export function toMovementColumns<Row extends Movement>({
  from,
  to,
  action,
  type,
  current,
  rows,
}: {
  from: (row: Row) => ReactNode;
  to: (row: Row) => ReactNode;
  /** What the transaction called. On narrow layouts, it or the direction is beside the hash. */
  action?: Column<Row>;
  /** An optional column for what the transfer is. Phones show it beside the block. */
  type?: Column<Row>;
  current?: string | undefined;
  rows: readonly Row[];
}): Column<Row>[] {
  const onlyOnce = (cell: (row: Row) => ReactNode) => toCellOnce(rows, cell);
  const block = onlyOnce((row) => <BlockLink number={Number(row.blockNumber)} />);
  const age: Column<Row> = {
    id: "age",
    head: <AgeHead />,
    width: current === undefined ? "md:w-21" : "md:w-21 lg:w-24",
    narrow: "trail",
    cell: onlyOnce((row) => <ListedAge timestamp={Number(row.timestamp)} />),
  };
  return [
    {
      id: "hash",
      head: "Transaction",
      // From the xl breakpoint on, two whole addresses have room beside it.
      width: `md:w-32 ${current === undefined ? "lg:w-36 2xl:w-60" : "lg:w-44 xl:w-48 2xl:w-60"}`,
      narrow: "lead",
      cell: onlyOnce((row) => <TxLink hash={row.transactionHash} />),
    },
    ...(action ? [{ ...action, narrow: "middle" as const }] : []),
    ...(type ? [type] : []),
    {
      id: "block",
      head: "Block",
      width: `max-lg:hidden ${current === undefined ? "lg:w-20" : "lg:w-24"}`,
      cell: block,
    },
    withTabletLine(age, "block", block),
    ...(current === undefined
      ? [
          { id: "from", head: "From", cell: from },
          { id: "to", head: "To", cell: to },
        ]
      : [
          {
            id: "direction",
            head: "Direction",
            narrow: "middle" as const,
            // On phones, the direction is beside the age.
            width: `md:w-19 lg:w-21 ${action ? "max-md:flex-none!" : "max-md:text-right"}`,
            cell: (row: Row) => <DirectionTag word={toWay(row, current)} />,
          },
        ]),
    {
      id: "parties",
      head: current === undefined ? "From and to" : "Other party",
      width: current === undefined ? "md:hidden" : "",
      narrow: "below",
      cell: (row) => (
        <PartiesCell {...(row.from !== current && { from: from(row) })} {...(row.to !== current && { to: to(row) })} />
      ),
    },
    {
      id: "last",
      head: "Block",
      width: "md:hidden",
      narrow: "last",
      cell: (row, place) => (
        <span className="flex flex-wrap items-center gap-x-2 text-ink-2">
          <span>
            Block <BlockLink number={Number(row.blockNumber)} />
          </span>
          {type?.cell(row, place)}
        </span>
      ),
    },
  ];
}
