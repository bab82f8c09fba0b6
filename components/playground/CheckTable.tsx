/** A table of payment checks. Each row has the outcome as an icon and a word, and the expected and actual values. */

import { Icon } from "@/components/atoms/Icon";
import { WrapText } from "@/components/atoms/WrapText";
import type { Check } from "@/lib/x402/rules/rule";
import { FlowValueText } from "./FlowText";
import { type FormatAmount, toFlowValue } from "./flowValue";
import { findRuleLabel } from "./ruleLabel";

const looks = {
  pass: { icon: "check", color: "text-pos", word: "passed" },
  fail: { icon: "cross", color: "text-neg", word: "failed" },
  unknown: { icon: "minus", color: "text-ink-3", word: "unknown" },
} as const;

export function CheckTable({
  label,
  checks,
  formatAmount,
}: {
  label: string;
  checks: readonly Check[];
  formatAmount: FormatAmount;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="check-table" aria-label={label} tabIndex={0}>
      <table>
        <caption className="sr-only">{label}</caption>
        <thead className="max-sm:sr-only">
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Rule</th>
            <th scope="col">Expected</th>
            <th scope="col">Got</th>
          </tr>
        </thead>
        <tbody>
          {toFailedFirst(checks).map((check) => (
            <CheckRow key={check.rule} check={check} formatAmount={formatAmount} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Otherwise in the order in which they are checked. */
const toFailedFirst = (checks: readonly Check[]) =>
  checks.toSorted((one, other) => Number(other.outcome === "fail") - Number(one.outcome === "fail"));

function CheckRow({ check, formatAmount }: { check: Check; formatAmount: FormatAmount }) {
  const { rule, outcome, asked, given } = check;
  const { icon, color, word } = looks[outcome];
  return (
    <tr data-failed={outcome === "fail" || undefined}>
      <td className={`whitespace-nowrap ${color}`}>
        <span className="inline-flex items-center gap-1.5">
          <Icon name={icon} />
          {word}
        </span>
      </td>
      <th scope="row">
        {findRuleLabel(rule) ?? (
          <code className="mono">
            <WrapText text={rule} />
          </code>
        )}
      </th>
      <td data-label="Expected">
        <FlowValueText value={toFlowValue(asked, formatAmount)} />
      </td>
      <td data-label="Got" className={outcome === "fail" ? "text-neg" : ""}>
        <FlowValueText value={toFlowValue(given, formatAmount)} />
      </td>
    </tr>
  );
}
