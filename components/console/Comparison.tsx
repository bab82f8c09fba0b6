"use client";
/**
 * Two endpoints' answers to the same request: where they differ, path by path.
 */
import type { Outcome } from "@/components/console/callRequest";
import { listDifferences, maxDifferences } from "@/components/console/jsonDiff";
import { toTargetName } from "@/components/console/OutcomeView";
import { t } from "@/lib/messages/translateConsole";

/** The beginning of a long value tells as much as all of it; the answers below have the rest. */
const longest = 140;

function toText(value: unknown): string {
  if (value === undefined) return t("console.missing");
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export function Comparison({ here, there }: { here: Outcome; there: Outcome }) {
  if (here.kind !== "answer" || there.kind !== "answer") return null;
  const bare = ({ answers }: { answers: { result?: unknown; error?: unknown }[] }) =>
    answers.map(({ result, error }) => (error === undefined ? result : { error }))[0];
  const differences = listDifferences(bare(here), bare(there));
  return (
    <div className="outcome" role="status">
      <p className="outcome-head">
        {differences.length === 0
          ? t("console.same")
          : differences.length < maxDifferences
            ? t("console.differ", { count: differences.length })
            : t("console.differMany", { count: maxDifferences })}
      </p>
      {differences.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <div className="differences" tabIndex={0}>
          <table>
            <caption className="sr-only">{t("console.differences")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("console.path")}</th>
                <th scope="col">{toTargetName(here)}</th>
                <th scope="col">{toTargetName(there)}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map((difference) => (
                <tr key={difference.path}>
                  <th scope="row">{difference.path || t("console.wholeResult")}</th>
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
