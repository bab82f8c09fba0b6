/** The columns that all lists of transfers share: transaction, age, from and to. */
import type { ReactNode } from "react";
import { Age } from "@/components/atoms/Age";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Icon } from "@/components/atoms/Icon";
import { TxLink } from "@/components/atoms/TxLink";
import type { Column } from "@/components/lists/DataTable";

type Movement = { transactionHash: string; blockNumber: string; timestamp: string };

export function toMovementColumns<Row extends Movement>({
  from,
  to,
  kind,
  direction,
}: {
  from: (row: Row) => ReactNode;
  to: (row: Row) => ReactNode;
  /** A column between the transaction and the parties. */
  kind?: Column<Row>;
  direction?: Column<Row>;
}): Column<Row>[] {
  return [
    {
      id: "hash",
      head: "Transaction",
      width: "lg:w-44",
      narrow: "lead",
      cell: (row) => <TxLink hash={row.transactionHash} characters={13} />,
    },
    ...(kind ? [kind] : []),
    {
      id: "block",
      head: "Block",
      width: "lg:w-24",
      cell: (row) => <BlockLink number={Number(row.blockNumber)} />,
    },
    {
      id: "age",
      head: "Age",
      width: "lg:w-24",
      narrow: "trail",
      cell: (row) => <Age timestamp={Number(row.timestamp)} className="text-ink-2" />,
    },
    { id: "from", head: "From", cell: from },
    ...(direction ? [direction] : []),
    { id: "to", head: "To", cell: to },
    {
      id: "parties",
      head: "From and to",
      width: "lg:hidden",
      narrow: "below",
      cell: (row) => (
        <span className="parties flex items-center gap-1.5">
          {from(row)}
          <Icon name="arrow" className="text-ink-3" />
          {to(row)}
        </span>
      ),
    },
  ];
}
