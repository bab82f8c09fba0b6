/**
 * An exchange as a sequence diagram with four lanes. A row expands to show its headers, bytes, typed data and checks.
 * State that was read from the ledger and the chain is listed below the diagram, without times.
 */
"use client";

import { type ReactNode, useId, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { DiagramHead, DiagramLine, laneLabels } from "./DiagramLine";
import { FlowStepParts } from "./FlowStepParts";
import { FlowText } from "./FlowText";
import { type DiagramRow, toDiagramRows, withExpected } from "./flowDiagram";
import { type FlowEntry, toTitleText } from "./flowEntries";
import type { FormatAmount } from "./flowValue";

/** The steps whose times come from the node's ledger. */
const ledgerKinds = new Set<FlowEntry["kind"]>(["verify", "settle", "mined"]);

/** Says where the rows' times come from, and why some rows have none. */
function toClockText(events: readonly FlowEntry[], clock: "browser" | "node"): string {
  const hasLedgerTimes = events.some(({ kind, isUntimed }) => ledgerKinds.has(kind) && !isUntimed);
  const others =
    clock === "browser" && hasLedgerTimes ? "; those of verification and settlement come from the node’s" : "";
  const untimed = events.some(({ isUntimed }) => isUntimed) ? " The seller’s calls have no times." : "";
  return `Times come from the ${clock}’s clock${others}.${untimed}`;
}

export function FlowDiagram({
  entries,
  formatAmount,
  clock,
  isLive = false,
  isWaiting = false,
}: {
  entries: readonly FlowEntry[];
  formatAmount: FormatAmount;
  /** Whose clock timed the requests and the responses. */
  clock: "browser" | "node";
  /** Reveals the rows one after another, because a local payment is too fast to follow. */
  isLive?: boolean;
  /** Also shows the steps that are still to come. */
  isWaiting?: boolean;
}) {
  const headingId = useId();
  const events = entries.filter(({ offsetMs }) => offsetMs !== undefined);
  const reads = entries.filter(({ offsetMs }) => offsetMs === undefined);
  const rows = toDiagramRows(isWaiting ? withExpected(events) : events);
  return (
    <div className="diagram" data-live={isLive || undefined} data-over={!isWaiting || undefined}>
      <DiagramHead />
      <ol>
        {rows.map((row, index) => (
          <Row key={row.key} row={row} index={index} formatAmount={formatAmount} />
        ))}
      </ol>
      {!isWaiting && <p className="-mt-1 text-pretty px-4 pb-3 text-12 text-ink-3">{toClockText(events, clock)}</p>}
      {reads.length > 0 && (
        <>
          <h3 id={headingId} className="label border-line border-t px-4 pt-3 pb-1">
            What the ledger and the chain show
          </h3>
          <ol className="diagram-reads pb-2" aria-labelledby={headingId}>
            {reads.map((entry) => (
              <Read key={entry.kind} entry={entry} formatAmount={formatAmount} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function Row({ row, index, formatAmount }: { row: DiagramRow; index: number; formatAmount: FormatAmount }) {
  const { entries } = row;
  return (
    <li>
      <Fold entries={entries} formatAmount={formatAmount}>
        {(toggle) => (
          <DiagramLine row={row} index={index}>
            {toggle}
          </DiagramLine>
        )}
      </Fold>
    </li>
  );
}

function Read({ entry, formatAmount }: { entry: FlowEntry; formatAmount: FormatAmount }) {
  return (
    <li>
      <Fold entries={[entry]} formatAmount={formatAmount}>
        {(toggle) => (
          <div className="diagram-read">
            <span data-lane={entry.lane}>{laneLabels[entry.lane]}</span>
            <span className={`diagram-title min-w-0 ${entry.failed ? "text-neg" : ""}`}>
              {entry.failed && <Icon name="cross" />}
              <FlowText title={entry.title} />
            </span>
            {toggle}
          </div>
        )}
      </Fold>
    </li>
  );
}

/** Rows may share a column's height. If one opens, the others keep their heights, so that nothing jumps. */
function keepHeights(list: Element | null): void {
  const lines = [...(list?.querySelectorAll<HTMLElement>(".diagram-line") ?? [])];
  // All are measured first, because a change of one changes the others.
  for (const [at, height] of lines.map((line) => line.offsetHeight).entries())
    lines[at]!.style.minHeight ||= `${height}px`;
}

/**
 * A row that can be expanded to show its details. The button and the row's links are siblings, because a button must
 * not contain links. The button's hit area covers the whole row.
 */
function Fold({
  entries,
  formatAmount,
  children,
}: {
  entries: readonly FlowEntry[];
  formatAmount: FormatAmount;
  children: (toggle: ReactNode) => ReactNode;
}) {
  const [chosen, setChosen] = useState<boolean | undefined>(undefined);
  const id = useId();
  const parts = entries.flatMap((entry) => entry.parts);
  // A failed check is expanded initially.
  const open = chosen ?? entries.some(({ kind, failed }) => kind === "verify" && failed);
  if (parts.length === 0) return children(null);
  return (
    <>
      {children(
        <button
          type="button"
          className="diagram-toggle"
          aria-expanded={open}
          aria-controls={id}
          aria-label={`Details: ${entries.map(({ title }) => toTitleText(title)).join(" · ")}`}
          onClick={({ currentTarget }) => {
            keepHeights(currentTarget.closest("ol"));
            setChosen(!open);
          }}
        >
          <Icon name="down" className={open ? "rotate-180" : ""} />
        </button>,
      )}
      <div id={id} className="flow-parts" hidden={!open}>
        {open && <FlowStepParts parts={parts} formatAmount={formatAmount} />}
      </div>
    </>
  );
}
