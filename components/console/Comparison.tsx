"use client";
/** Shows where two endpoints' responses to the same request differ, path by path. */
import type { Outcome } from "@/components/console/callRequest";
import { listDifferences, maxDifferences } from "@/components/console/jsonDiff";
import { outcomeHeadClass, toTargetName } from "@/components/console/OutcomeView";
import { plural } from "@/lib/plural";

/** Longer values are truncated in the comparison. The responses below the comparison show the whole values. */
const longest = 140;

function toText(value: unknown): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export function Comparison({ here, there }: { here: Outcome; there: Outcome }) {
  if (here.kind !== "answer" || there.kind !== "answer") return null;
  const bare = ({ answers }: { answers: { result?: unknown; error?: unknown }[] }) =>
    answers.map(({ result, error }) => (error === undefined ? result : { error }))[0];
  const differences = listDifferences(bare(here), bare(there));
  return (
    <div className="border-line border-t" role="status">
      <p className={outcomeHeadClass}>
        {differences.length === 0
          ? "Responses are identical"
          : differences.length < maxDifferences
            ? `${differences.length} ${plural(differences.length, "difference")}`
            : `At least ${maxDifferences} differences`}
      </p>
      {differences.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <div className="differences" tabIndex={0}>
          <table>
            <caption className="sr-only">Differences</caption>
            <thead>
              <tr>
                <th scope="col">Path</th>
                <th scope="col">{toTargetName(here)}</th>
                <th scope="col">{toTargetName(there)}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map((difference) => (
                <tr key={difference.path}>
                  <th scope="row">{difference.path || "result"}</th>
                  <td>{toText(difference.here)}</td>
                  <td>{toText(difference.there)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
