/** The payment diagram that is shown before the first payment. */
import { Sheet } from "@/components/layout/Sheet";
import { DiagramHead, DiagramLine } from "./DiagramLine";
import { expectedEntries, toDiagramRows } from "./flowDiagram";

const rows = toDiagramRows(expectedEntries);

export function DiagramGhost() {
  return (
    <Sheet id="exchange" title="How a payment works">
      <div className="diagram" data-explains>
        <DiagramHead />
        <ol>
          {rows.map((row, index) => (
            <li key={row.key}>
              <DiagramLine row={row} index={index} />
            </li>
          ))}
        </ol>
      </div>
    </Sheet>
  );
}
