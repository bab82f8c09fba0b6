/**
 * The exchange as a vertical timeline: one line per step, in the lane of the actor; each opens to its details. An open
 * step stays open while others arrive.
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
  return (
    <ol className="flow">
      {entries.map((entry, index) => (
        <Step key={toKey(entries, index)} entry={entry} formatAmount={formatAmount} />
      ))}
    </ol>
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
        <span className="flow-offset">+{formatInteger(Math.round(entry.offsetMs))} ms</span>
        {entry.parts.length > 0 && (
          // Beside the links of the line, not around them, though its hit area is the whole line.
          <button
            type="button"
            className="flow-toggle"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`Details of: ${toTitleText(entry.title)}`}
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
