/**
 * The exchange as a vertical timeline: one line a step, in the lane of who acts, each opening to its headers and their
 * decoded content.
 */
import { Icon } from "@/components/chain/Icon";
import { Snippet } from "@/components/chain/Snippet";
import { t } from "@/lib/messages/translate";
import type { FlowEntry } from "./flowEntries";

function Line({ entry }: { entry: FlowEntry }) {
  return (
    <>
      <span className="flow-lane" data-lane={entry.lane}>
        {t(`play.lane.${entry.lane}`)}
      </span>
      <span className={`flow-title ${entry.failed ? "text-neg" : ""}`}>
        {entry.failed && <Icon name="cross" />}
        <span className="min-w-0 break-words">{entry.title}</span>
      </span>
      <span className="flow-offset">{`+${Math.round(entry.offsetMs)} ms`}</span>
    </>
  );
}

export function FlowTimeline({ entries }: { entries: readonly FlowEntry[] }) {
  return (
    <ol className="flow">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
        <li key={index} data-lane={entry.lane}>
          {entry.parts.length === 0 ? (
            <div className="flow-line">
              <Line entry={entry} />
            </div>
          ) : (
            <details>
              <summary className="flow-line">
                <Line entry={entry} />
                <Icon name="down" className="flow-marker" />
              </summary>
              <div className="flow-parts">
                {entry.parts.map((part) => (
                  <div key={part.label}>
                    <h4 className="text-12 font-medium text-ink-2">{part.label}</h4>
                    <Snippet code={part.text} what={part.label} />
                  </div>
                ))}
              </div>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
