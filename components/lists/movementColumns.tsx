/** The columns that all lists of transfers have in common: transaction, age, from and to. */
import type { ReactNode } from "react";
import { Age } from "@/components/atoms/Age";
import { BlockLink } from "@/components/atoms/BlockLink";
import { TxLink } from "@/components/atoms/TxLink";
import type { Column } from "@/components/lists/DataTable";
import { DirectionTag, toWay } from "@/components/lists/DirectionTag";
import { PartiesCell } from "@/components/lists/PartiesCell";

/** `current` is the address that the list is about, in lowercase. */
export const toDirectionColumn = <Row extends { from: string; to: string }>(current: string): Column<Row> => ({
  id: "direction",
  head: "Direction",
  width: "md:w-19 lg:w-21",
  cell: (row) => <DirectionTag word={toWay(row, current)} />,
});

type Hidden = "from" | "to" | "both" | undefined;

/** Which parties narrow layouts leave out, because the page is about them. */
export function toHidden(isFrom: boolean, isTo: boolean): Hidden {
  if (isFrom && isTo) return "both";
  return isFrom ? "from" : isTo ? "to" : undefined;
}

/** Addresses show as many digits as fit. */
const wholeAddress = "md:[&_.hash-short]:w-auto";
/** With a direction, whole addresses don't fit, and those that start with zeros would show little else. */
const longAddress = "md:max-xl:[&_.hash-short]:w-auto xl:[&_.hash-short]:w-[21.25ch]";

type Movement = { transactionHash: string; blockNumber: string; timestamp: string };

export function toMovementColumns<Row extends Movement>({
  from,
  to,
  kind,
  direction,
  findHidden,
}: {
  from: (row: Row) => ReactNode;
  to: (row: Row) => ReactNode;
  /** An optional column, right after the Transaction column. On narrow layouts, it or the direction is beside the hash. */
  kind?: Column<Row>;
  direction?: Column<Row>;
  findHidden?: (row: Row) => Hidden;
}): Column<Row>[] {
  const ofParty = direction ? longAddress : wholeAddress;
  return [
    {
      id: "hash",
      head: "Transaction",
      width: `md:w-32 lg:w-44 ${direction ? "xl:w-56 xl:[&_.hash-short]:w-[21.25ch]" : "xl:w-48 xl:[&_.hash-short]:w-[17.25ch]"}`,
      narrow: "lead",
      cell: (row) => <TxLink hash={row.transactionHash} />,
    },
    ...(kind ? [{ ...kind, narrow: "middle" as const }] : []),
    {
      id: "block",
      head: "Block",
      width: "md:w-24 max-lg:hidden",
      cell: (row) => <BlockLink number={Number(row.blockNumber)} />,
    },
    {
      id: "age",
      head: "Age",
      width: "md:w-21 lg:w-24",
      narrow: "trail",
      cell: (row) => <Age timestamp={Number(row.timestamp)} className="text-ink-2" />,
    },
    ...(direction
      ? [
          {
            ...direction,
            narrow: "middle" as const,
            // On phones, the direction is beside the age.
            width: `${direction.width} ${kind ? "max-md:flex-none!" : "max-md:text-right"}`,
          },
        ]
      : []),
    { id: "from", head: "From", width: ofParty, cell: from },
    { id: "to", head: "To", width: ofParty, cell: to },
    {
      id: "parties",
      head: "From and to",
      width: "md:hidden",
      narrow: "below",
      cell: (row) => {
        const hidden = findHidden?.(row);
        return (
          <PartiesCell
            {...((hidden === undefined || hidden === "to") && { from: from(row) })}
            {...((hidden === undefined || hidden === "from") && { to: to(row) })}
          />
        );
      },
    },
  ];
}
