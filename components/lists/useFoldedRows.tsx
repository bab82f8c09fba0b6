/** Rows of a table that can be expanded: a column with a button, and the details below the row. */
import { type ReactNode, useId, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import type { Column } from "@/components/lists/DataTable";

export function useFoldedRows<Row>({
  getKey,
  toLabel,
  toDetails,
  narrow,
  initial = [],
}: {
  getKey: (row: Row) => string;
  /** The button's accessible name, which describes the details that it shows. */
  toLabel: (row: Row) => string;
  toDetails: (row: Row) => ReactNode;
  narrow: Column<Row>["narrow"] & string;
  /** The keys of the rows whose details are shown at first. */
  initial?: readonly string[];
}): { column: Column<Row>; toNote: (row: Row) => ReactNode } {
  const [open, setOpen] = useState(initial);
  const id = useId();
  const toId = (key: string) => `${id}${key}`;
  const column: Column<Row> = {
    id: "details",
    head: <span className="sr-only">Details</span>,
    align: "right",
    width: "md:w-12",
    narrow,
    cell: (row) => {
      const key = getKey(row);
      const isOpen = open.includes(key);
      return (
        <button
          type="button"
          className="icon-button -mr-1! my-0! align-bottom"
          aria-expanded={isOpen}
          aria-controls={isOpen ? toId(key) : undefined}
          aria-label={toLabel(row)}
          title={toLabel(row)}
          onClick={() => setOpen(isOpen ? open.filter((each) => each !== key) : [...open, key])}
        >
          <Icon name="down" className={isOpen ? "rotate-180" : ""} />
        </button>
      );
    },
  };
  const toNote = (row: Row) => {
    const key = getKey(row);
    if (!open.includes(key)) return undefined;
    return (
      <div id={toId(key)} className="whitespace-normal py-2 text-13 text-ink">
        {toDetails(row)}
      </div>
    );
  };
  return { column, toNote };
}
