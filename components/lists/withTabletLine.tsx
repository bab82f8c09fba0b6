import type { Column } from "@/components/lists/DataTable";

/** On tablets, some lists have no room for all columns, so a column's cells have a second line: what `name` says. */
export const withTabletLine = <Row,>(column: Column<Row>, name: string, cell: Column<Row>["cell"]): Column<Row> => ({
  ...column,
  width: `${column.width} md:max-lg:py-1.5`,
  head: (
    <>
      {column.head}
      <span className="hidden md:max-lg:inline">, {name}</span>
    </>
  ),
  cell: (row, place) => (
    <>
      {column.cell(row, place)}
      <span className="hidden text-12 leading-4 text-ink-3 md:max-lg:block">{cell(row, place)}</span>
    </>
  ),
});
