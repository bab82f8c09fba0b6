/** The payment diagram that is shown before the first payment. */
import { Sheet } from "@/components/layout/Sheet";
import { DiagramHead, DiagramLine } from "./DiagramLine";
import { expectedEntries, toDiagramRows } from "./flowDiagram";

// Without times, gaps of different heights would have no meaning.
const rows = toDiagramRows(expectedEntries).map((row) => ({ ...row, extraPx: 0, cutMs: undefined }));

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
