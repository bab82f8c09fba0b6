/**
 * A table of payment checks. Each row has the outcome as an icon and a word, and the expected and actual values. If a
 * check failed, the passed ones are hidden first.
 */
"use client";

import { useId, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { WrapText } from "@/components/atoms/WrapText";
import { plural } from "@/lib/plural";
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
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const passed = checks.filter(({ outcome }) => outcome === "pass");
  const rest = checks.filter(({ outcome }) => outcome !== "pass");
  const hasFailed = rest.some(({ outcome }) => outcome === "fail");
  // The failed ones come first, the others in the order in which they are checked.
  const shown = hasFailed ? [...rest.toSorted(compareOutcomes), ...(isOpen ? passed : [])] : checks;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="check-table" aria-label={label} tabIndex={0}>
      <table id={id}>
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
          {shown.map((check) => (
            <CheckRow key={check.rule} check={check} formatAmount={formatAmount} />
          ))}
        </tbody>
      </table>
      {hasFailed && passed.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="border-line border-t py-1 w-full text-left text-13 text-accent underline-offset-3 hover:underline focus-visible:-outline-offset-2"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide" : "Show"} {passed.length} passed {plural(passed.length, "check")}
        </button>
      )}
    </section>
  );
}

const compareOutcomes = (one: Check, other: Check) => Number(other.outcome === "fail") - Number(one.outcome === "fail");

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
