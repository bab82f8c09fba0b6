/**
 * A group of failure cases that break the same kind of rule. Each case is a button that shows the reason to expect and,
 * after it has run, the reason that the server returned.
 */

import type { CSSProperties, ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";
import { WrapText } from "@/components/atoms/WrapText";
import { Sheet } from "@/components/layout/Sheet";
import { formatInteger } from "@/lib/units";
import { getReason, type Reason } from "@/lib/x402/reason";
import { findRuleLabel } from "../ruleLabel";
import { type LabCase, labCases, type labGroups } from "./labCases";

/** `reason` is undefined if the payment settled. `isFixed` is true if the payment was sent again after the fix. */
export type CaseResult = { reason: string | undefined; isFixed?: boolean };
type Skew = { seconds: number; onChange: (seconds: number) => void };

const maxSkewSeconds = 1_800;
/** A payment from a clock that is ahead by at most this time is valid, because clients sign validAfter in the past. */
const acceptedSkewSeconds = 600;

export function CaseGroup({
  group: { name, title, text },
  results,
  current,
  isBusy,
  isRunning,
  onStart,
  onStartAll,
  skew,
  isFixShown,
  outcome,
}: {
  group: (typeof labGroups)[number];
  results: ReadonlyMap<string, CaseResult>;
  current: LabCase | undefined;
  isBusy: boolean;
  /** Whether the whole group is running. */
  isRunning: boolean;
  onStart: (labCase: LabCase) => void;
  onStartAll: (cases: readonly LabCase[]) => void;
  skew: Skew;
  /** Whether to show what a case breaks, and the fix. */
  isFixShown: (labCase: LabCase) => boolean;
  /** Shown below the current case. */
  outcome: ReactNode;
}) {
  const cases = labCases.filter(({ group }) => group === name);
  return (
    <Sheet
      id={`cases-${name}`}
      title={title}
      aside={
        <>
          <p className="min-w-0 flex-1 text-pretty text-13 text-ink-2 max-md:order-1 max-md:basis-full">
            <CaseText text={text} />
          </p>
          <span className="label lab-head" aria-hidden>
            Returns
          </span>
          {cases.length > 1 && (
            <button
              type="button"
              className="button h-7! text-12! max-md:h-8!"
              aria-disabled={isBusy}
              aria-label={isRunning ? `Running: ${title}` : `Run all ${cases.length}: ${title}`}
              onClick={() => !isBusy && onStartAll(cases)}
            >
              {isRunning ? "Running" : `Run all ${cases.length}`}
            </button>
          )}
        </>
      }
    >
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
              <span className="font-medium [&_code]:text-13">
                <CaseText text={labCase.title} />
              </span>
              <span className="lab-text">
                <CaseText text={labCase.text} />
              </span>
              <Result
                result={results.get(labCase.id)}
                expected={isSkewed(labCase) && skew.seconds <= acceptedSkewSeconds ? undefined : labCase.reason}
              />
              <span className="lab-play">{results.has(labCase.id) ? "Rerun" : "Run"}</span>
            </button>
            {isSkewed(labCase) && <SkewSlider {...skew} />}
            {labCase.reason && isFixShown(labCase) && <Fix reason={labCase.reason} />}
            {labCase === current && outcome}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Fix({ reason }: { reason: Reason }) {
  const { cause, fix } = getReason(reason);
  const check = findRuleLabel(reason);
  return (
    <p className="lab-fix">
      {check && <span className="text-ink-3">{`Check: ${check}. `}</span>}
      {cause} <span className="font-medium text-ink">Fix: {fix}</span>
    </p>
  );
}

/** In titles and texts, the names of schemes and fields are between backticks. */
function CaseText({ text }: { text: string }) {
  return text.split("`").map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <code key={piece} className="mono leading-none">
        {piece}
      </code>
    ),
  );
}

function Result({ result, expected }: { result: CaseResult | undefined; expected: string | undefined }) {
  const reason = result ? result.reason : expected;
  const isExpected = reason === (result?.isFixed ? undefined : expected);
  const color = !isExpected ? "text-neg" : reason === undefined ? "text-pos" : result ? "text-ink-2" : "text-ink-3";
  return (
    <span className={`lab-result ${color}`}>
      {result ? (
        // A rejection is the expected result of most cases, so only another result is red.
        <Icon name={isExpected ? "check" : "cross"} className={isExpected ? "text-pos" : "text-neg"} />
      ) : (
        <span className="flex-none text-ink-3 xl:sr-only">Returns</span>
      )}
      {result && reason === undefined ? (
        <span>Settled{result.isFixed && " after the fix"}</span>
      ) : (
        <span>
          <code className="mono">
            <WrapText text={reason ?? "200 OK"} />
          </code>
          {result && isExpected && <span className="sr-only"> as expected</span>}
        </span>
      )}
      {!result && reason === undefined && <span>(no error)</span>}
    </span>
  );
}

/** Whether the visitor sets how wrong the signer's clock is. */
function isSkewed({ id }: LabCase): boolean {
  return id === "not-yet-valid";
}

function SkewSlider({ seconds, onChange }: Skew) {
  return (
    <label className="lab-skew" style={{ "--share": acceptedSkewSeconds / maxSkewSeconds } as CSSProperties}>
      <span>The signer’s clock is {seconds} s ahead</span>
      <input
        type="range"
        min={0}
        max={maxSkewSeconds}
        step={60}
        value={seconds}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <span className="lab-scale" aria-hidden>
        <span>0 s</span>
        <span className="text-pos">accepted</span>
        <span className="lab-limit">{acceptedSkewSeconds} s</span>
        <span className="text-neg">rejected</span>
        <span>{formatInteger(BigInt(maxSkewSeconds))} s</span>
      </span>
    </label>
  );
}
