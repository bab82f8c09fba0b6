/**
 * The exchange as a vertical timeline: one line a step, in the lane of who acts, each opening to its headers and their
 * decoded content. Lines are only ever added at the end.
 */
"use client";

import { useId, useState } from "react";
import { Icon } from "@/components/chain/Icon";
import { Snippet } from "@/components/chain/Snippet";
import { t } from "@/lib/messages/translate";
import { formatInteger } from "@/lib/units";
import { FlowText } from "./FlowText";
import { type FlowEntry, toTitleText } from "./flowEntries";

export function FlowTimeline({ entries }: { entries: readonly FlowEntry[] }) {
  return (
    <ol className="flow">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
        <Step key={index} entry={entry} />
      ))}
    </ol>
  );
}

function Step({ entry }: { entry: FlowEntry }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li data-lane={entry.lane}>
      <div className="flow-line">
        <span className="flow-lane" data-lane={entry.lane}>
          {t(`play.lane.${entry.lane}`)}
        </span>
        <span className={`flow-title ${entry.failed ? "text-neg" : ""}`}>
          {entry.failed && <Icon name="cross" />}
          <span className="min-w-0 break-words">
            <FlowText title={entry.title} />
          </span>
        </span>
        <span className="flow-offset">{t("play.offset", { ms: formatInteger(Math.round(entry.offsetMs)) })}</span>
        {entry.parts.length > 0 && (
          // Beside the links of the line, not around them; its hit area is the whole line all the same.
          <button
            type="button"
            className="flow-toggle"
            aria-expanded={open}
            aria-controls={id}
            aria-label={t("play.details", { step: toTitleText(entry.title) })}
            onClick={() => setOpen(!open)}
          >
            <Icon name="down" className={open ? "rotate-180" : ""} />
          </button>
        )}
      </div>
      <div id={id} className="flow-parts" hidden={!open}>
        {open &&
          entry.parts.map((part) => (
            <div key={part.label}>
              <h3 className="text-12 font-medium text-ink-2">{part.label}</h3>
              <Snippet code={part.text} what={part.label} />
            </div>
          ))}
      </div>
    </li>
  );
}
