/**
 * An exchange as a vertical timeline: one line per step, in the column of the party that acted. A line expands to show
 * details. State read from the ledger and the chain is listed below it, without a time. An open step stays open as
 * others arrive.
 */
"use client";

import { useId, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { formatInteger } from "@/lib/units";
import { FlowStepParts } from "./FlowStepParts";
import { FlowText } from "./FlowText";
import { type FlowEntry, toTitleText } from "./flowEntries";
import type { FormatAmount } from "./flowValue";

const laneLabels = {
  client: "Client",
  server: "Resource server",
  facilitator: "Facilitator",
  chain: "Chain",
};

export function FlowTimeline({ entries, formatAmount }: { entries: readonly FlowEntry[]; formatAmount: FormatAmount }) {
  const headingId = useId();
  const steps = entries.map((entry, index) => ({
    isEvent: entry.offsetMs !== undefined,
    item: <Step key={toKey(entries, index)} entry={entry} formatAmount={formatAmount} />,
  }));
  const reads = steps.filter(({ isEvent }) => !isEvent);
  return (
    <>
      <ol className="flow">{steps.filter(({ isEvent }) => isEvent).map(({ item }) => item)}</ol>
      {reads.length > 0 && (
        <>
          <h3 id={headingId} className="label border-line border-t px-4 pt-3 pb-1">
            Read from the ledger and the chain
          </h3>
          <ol className="flow" aria-labelledby={headingId}>
            {reads.map(({ item }) => item)}
          </ol>
        </>
      )}
    </>
  );
}

/**
 * Ledger steps are inserted between existing ones, so a step is identified by its kind and how often that kind came
 * before.
 */
function toKey(entries: readonly FlowEntry[], index: number): string {
  const kind = entries[index]?.kind;
  return `${kind} ${entries.slice(0, index).filter((entry) => entry.kind === kind).length}`;
}

function Step({ entry, formatAmount }: { entry: FlowEntry; formatAmount: FormatAmount }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li data-lane={entry.lane}>
      <div className="flow-line">
        <span className="flow-lane" data-lane={entry.lane}>
          {laneLabels[entry.lane]}
        </span>
        <span className={`flow-title ${entry.failed ? "text-neg" : ""}`}>
          {entry.failed && <Icon name="cross" />}
          <span className="min-w-0 break-words">
            <FlowText title={entry.title} />
          </span>
        </span>
        <span className="flow-offset">
          {entry.offsetMs !== undefined && `+${formatInteger(Math.round(entry.offsetMs))} ms`}
        </span>
        {entry.parts.length > 0 && (
          // The button is next to the line's links, because a button must not contain links. Its hit area is still the
          // whole line.
          <button
            type="button"
            className="flow-toggle"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`Details: ${toTitleText(entry.title)}`}
            onClick={() => setOpen(!open)}
          >
            <Icon name="down" className={open ? "rotate-180" : ""} />
          </button>
        )}
      </div>
      <div id={id} className="flow-parts" hidden={!open}>
        {open && <FlowStepParts parts={entry.parts} formatAmount={formatAmount} />}
      </div>
    </li>
  );
}
