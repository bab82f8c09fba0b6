/**
 * A group of failure cases that break the same kind of rule. Each case is a button that shows its latest result: the
 * reason that the server returned.
 */

import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";
import { WrapText } from "@/components/atoms/WrapText";
import { Sheet } from "@/components/layout/Sheet";
import { type LabCase, labCases, type labGroups } from "./labCases";

/** `reason` is undefined if the payment settled. */
export type CaseResult = { reason: string | undefined };
type Skew = { seconds: number; onChange: (seconds: number) => void };

const maxSkewSeconds = 1_800;

export function CaseGroup({
  group: { name, title, text },
  results,
  current,
  isBusy,
  isRunning,
  onStart,
  onStartAll,
  skew,
  outcome,
}: {
  group: (typeof labGroups)[number];
  results: ReadonlyMap<string, CaseResult>;
  current: LabCase | undefined;
  isBusy: boolean;
  /** Whether the whole group is running. */
  isRunning: boolean;
  onStart: (labCase: LabCase) => void;
  onStartAll: () => void;
  skew: Skew;
  /** Shown below the current case. */
  outcome: ReactNode;
}) {
  const cases = labCases.filter(({ group }) => group === name);
  return (
    <Sheet
      id={`cases-${name}`}
      title={title}
      aside={
        cases.length > 1 && (
          <button
            type="button"
            className="button text-12!"
            aria-disabled={isBusy}
            aria-label={isRunning ? `Running: ${title}` : `Run all ${cases.length}: ${title}`}
            onClick={() => !isBusy && onStartAll()}
          >
            {isRunning ? "Running" : `Run all ${cases.length}`}
          </button>
        )
      }
    >
      <p className="border-line border-b px-4 py-2 text-13 text-ink-2">{text}</p>
      <ul>
        {cases.map((labCase) => (
          <li key={labCase.id} className="lab-case">
            <button
              type="button"
              className="lab-run"
              aria-disabled={isBusy}
              aria-current={labCase === current ? "true" : undefined}
              onClick={() => !isBusy && onStart(labCase)}
            >
              <span className="font-medium">{labCase.title}</span>
              <Icon name="play" className="text-ink-3" />
              <span className="col-span-2 text-12 leading-4 text-ink-2">{labCase.text}</span>
              <Result result={results.get(labCase.id)} />
            </button>
            {labCase.id === "not-yet-valid" && <SkewSlider {...skew} />}
            {labCase === current && outcome}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Result({ result }: { result: CaseResult | undefined }) {
  if (!result) return null;
  const { reason } = result;
  return (
    <span className={`lab-result ${reason === undefined ? "text-pos" : "text-neg"}`}>
      <Icon name={reason === undefined ? "check" : "cross"} />
      {reason === undefined ? (
        "Settled"
      ) : (
        <code className="mono">
          <WrapText text={reason} />
        </code>
      )}
    </span>
  );
}

function SkewSlider({ seconds, onChange }: Skew) {
  return (
    <label className="lab-skew">
      <span>The signer’s clock is {seconds} s ahead</span>
      <input
        type="range"
        min={0}
        max={maxSkewSeconds}
        step={60}
        value={seconds}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  );
}
