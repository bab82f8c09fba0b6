/**
 * The table behind every list in the explorer. Below the md breakpoint, each row has two lines. The styles for this
 * layout change the display property of table elements, which removes their implicit roles, so the roles are set
 * explicitly.
 */
import { Fragment, type ReactNode } from "react";

export type Column<Row> = {
  id: string;
  head: ReactNode;
  /**
   * A class that sets the column's width from the md breakpoint up. Columns without a width share the remaining space.
   */
  width?: string;
  align?: "right";
  /** The cell's position below the md breakpoint. If unset, the cell is hidden on these narrow screens. */
  narrow?: "lead" | "middle" | "trail" | "below" | "belowTrail" | "last";
  /** `place` is the row's index in the list. */
  cell: (row: Row, place: number) => ReactNode;
};

export function DataTable<Row>({
  caption,
  columns,
  rows,
  getKey,
  isNew,
  toNote,
  stacked = false,
}: {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  getKey: (row: Row) => string;
  /** Returns true for rows that arrived while the page was open. These rows are highlighted for a second. */
  isNew?: (row: Row) => boolean;
  /** Renders a note between two rows about what the list leaves out there. `below` is undefined for the last row. */
  toNote?: (above: Row, below: Row | undefined) => ReactNode;
  /** Gives long values a whole line below the md breakpoint, so that they are not truncated. */
  stacked?: boolean;
}) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: display: grid on narrow screens removes the native roles
    <table role="table" className={`data-table ${stacked ? "data-table-stacked" : ""}`}>
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.id} role="columnheader" scope="col" className={toClass(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, place) => {
          const isMarked = isNew?.(row) ?? false;
          const note = toNote?.(row, rows[place + 1]);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: keying by row would move elements and shift the layout
            <Fragment key={place}>
              <tr role="row" data-new={isMarked || undefined}>
                {columns.map((column, at) => (
                  // The highlight's animation only restarts on a new element, so a highlighted row gets a new key.
                  <td key={isMarked && at === 0 ? getKey(row) : column.id} role="cell" className={toClass(column)}>
                    {column.cell(row, place)}
                  </td>
                ))}
              </tr>
              {note && (
                <tr role="row" className="note-row">
                  <td role="cell" colSpan={columns.length}>
                    {note}
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

function toClass<Row>(column: Column<Row>): string {
  const align = column.align === "right" ? "right" : "";
  return `${column.width ?? ""} ${align} narrow-${column.narrow ?? "hidden"}`;
}
