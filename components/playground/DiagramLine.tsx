/**
 * One row of the sequence diagram: the four lanes, the arrow between two of them, and the row's text. It has no state,
 * so a page can show it before its scripts run.
 */
import type { CSSProperties, ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";
import type { Lane } from "@/lib/payflow/flow";
import { formatInteger } from "@/lib/units";
import { FlowText } from "./FlowText";
import { type DiagramRow, lanes } from "./flowDiagram";

export const laneLabels: Record<Lane, string> = {
  client: "Client",
  server: "Seller",
  facilitator: "Facilitator",
  chain: "Chain",
};

/** The lanes' names. They are hidden from screen readers, because each row's text names its lanes. */
export function DiagramHead() {
  return (
    <div className="diagram-head" aria-hidden>
      {lanes.map((lane, place) => (
        <span key={lane} data-lane={lane} style={{ "--place": place } as CSSProperties}>
          {laneLabels[lane]}
        </span>
      ))}
    </div>
  );
}

function toText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `${formatInteger(Math.round(ms))} ms`;
}

export function DiagramLine({ row, index, children }: { row: DiagramRow; index: number; children?: ReactNode }) {
  const { entries, from, to, shape, busy, busyAfter, extraPx, pauseMs, tookMs } = row;
  const [{ offsetMs, isExpected, isUntimed }] = entries;
  const [start, end] = [lanes.indexOf(from), lanes.indexOf(to)];
  const first = Math.min(start, end);
  const place = {
    "--first": first,
    // The text is between this lifeline and the next one.
    "--between": Math.min(first, lanes.length - 2),
    "--span": Math.abs(end - start),
    "--extra": `${extraPx}px`,
    "--index": index,
  } as CSSProperties;
  const failed = entries.some((entry) => entry.failed);
  // Nothing else is drawn in the row, so its text may cross lifelines.
  const isWide = Math.abs(end - start) > 1 || (shape === "local" && from === "client");
  const took = isExpected || (tookMs ?? 0) < 0.5 ? undefined : toText(tookMs);
  return (
    <div
      className="diagram-line"
      style={place}
      data-lane={from}
      data-anchor={first > lanes.length - 2 ? "end" : "start"}
      data-wide={isWide || undefined}
      data-expected={isExpected}
      data-failed={failed || undefined}
      data-gap={extraPx > 0 || undefined}
      data-pause={pauseMs && `${toText(pauseMs)} later`}
    >
      <span className="diagram-lanes" aria-hidden>
        {lanes.map((lane, at) => (
          <span
            key={lane}
            data-lane={lane}
            style={{ "--place": at } as CSSProperties}
            data-before={busy.includes(lane) || undefined}
            data-after={busyAfter.includes(lane) || undefined}
          />
        ))}
        <span
          className="diagram-arrow"
          data-shape={shape}
          data-toward={end > start ? "right" : end < start ? "left" : undefined}
        />
      </span>
      <span className="diagram-text">
        <span className="diagram-parties">
          <Parties row={row} />
        </span>
        <span className="diagram-title">
          {failed && <Icon name="cross" className="text-neg" />}
          {entries.map((entry, at) => (
            // A response's headers are on their own lines.
            <span key={entry.kind} className={`${at > 0 ? "block" : ""} ${entry.failed ? "text-neg" : ""}`}>
              <FlowText title={entry.title} />
              {at === 0 && took && (
                <>
                  {" "}
                  <span className="diagram-took">({took})</span>
                </>
              )}
              {at < entries.length - 1 && <span className="sr-only">: </span>}
            </span>
          ))}
        </span>
      </span>
      {!isExpected && !isUntimed && <span className="diagram-time">{`+${toText(offsetMs ?? 0)}`}</span>}
      {children}
    </div>
  );
}

function Parties({ row: { from, to, shape } }: { row: DiagramRow }) {
  if (shape === "local") {
    return (
      <>
        {laneLabels[from]}
        <span className="sr-only">: </span>
      </>
    );
  }
  return (
    <>
      {laneLabels[from]} <span aria-hidden>→</span>
      <span className="sr-only">to</span> {laneLabels[to]}
      <span className="sr-only">: </span>
    </>
  );
}
