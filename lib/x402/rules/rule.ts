/**
 * Payment rules as pure functions of a payment's terms and facts. The facilitator uses them to reject payments, and the
 * playground uses them to explain why. If a fact is unknown, the rule is skipped instead of being counted as passed.
 */
import type { Reason } from "@/lib/x402/reason";
import type { PaymentRequirements } from "@/lib/x402/types";

/**
 * A value with its type, which determines how it is displayed. Times are in seconds since the epoch; units are decimal
 * strings. `bound` is set if the value is a limit: at least, or at most, this much.
 */
export type CheckValue =
  | string
  | { address: string }
  | { requirements: Pick<PaymentRequirements, "scheme" | "network" | "amount" | "asset">[] }
  | ({ bound?: "least" | "most" } & ({ units: string; asset: string } | { time: number }));

/** The result of checking one rule against a payment. `unknown` means that a fact could not be read. */
export type Check = {
  /** The reason that a facilitator reports for the rule, or the name of a check that only the preflight runs. */
  rule: string;
  outcome: "pass" | "fail" | "unknown";
  asked: CheckValue;
  given: CheckValue;
};

type Known<Facts, Need extends keyof Facts> = Facts & { [Fact in Need]-?: Exclude<Facts[Fact], undefined> };

export type Rule<Terms, Facts, Need extends keyof Facts = keyof Facts> = {
  /** The rule's subject, such as "recipient". */
  name: string;
  /** The rejection reason for a payment that breaks the rule. */
  reason: Reason;
  /** The reference facilitator's reason, if different. */
  code?: string;
  /** The facts that the rule needs in addition to the terms. */
  needs: readonly Need[];
  /** If absent, the rule applies to every payment. */
  applies?(terms: Terms): boolean;
  holds(terms: Terms, facts: Known<Facts, Need>): boolean;
  /** `asked` returns the required value and `given` returns the payment's value, both in the form that pages show. */
  asked(terms: Terms, facts: Facts): CheckValue;
  given(terms: Terms, facts: Known<Facts, Need>): CheckValue;
  /** Returns a message for this payment. If absent, the message is the reason's general text. */
  toMessage?(terms: Terms, facts: Known<Facts, Need>): string;
};

/** Returns a function that declares a rule, with types that treat the facts in the rule's `needs` as known. */
export function createRuleBuilder<Terms, Facts>() {
  return <const Need extends keyof Facts>(rule: Rule<Terms, Facts, Need>): Rule<Terms, Facts> => rule;
}

/** Finds the first rule that the payment breaks. Rules with unknown facts are skipped. */
export function findBrokenRule<Terms, Facts extends object>(
  rules: readonly Rule<Terms, Facts>[],
  terms: Terms,
  facts: Facts,
): Rule<Terms, Facts> | undefined {
  return rules.find((rule) => applies(rule, terms) && isKnown(rule, facts) && !rule.holds(terms, facts));
}

/** Checks every rule that applies to the payment. Each result includes the required value and the payment's value. */
export function checkRules<Terms, Facts extends object>(
  rules: readonly Rule<Terms, Facts>[],
  terms: Terms,
  facts: Facts,
): Check[] {
  return rules.filter((rule) => applies(rule, terms)).map((rule) => checkRule(rule, terms, facts));
}

export function checkRule<Terms, Facts extends object>(rule: Rule<Terms, Facts>, terms: Terms, facts: Facts): Check {
  const asked = rule.asked(terms, facts);
  if (!isKnown(rule, facts)) return { rule: rule.reason, outcome: "unknown", asked, given: "?" };
  const outcome = rule.holds(terms, facts) ? "pass" : "fail";
  return { rule: rule.reason, outcome, asked, given: rule.given(terms, facts) };
}

function applies<Terms>({ applies }: Pick<Rule<Terms, never>, "applies">, terms: Terms): boolean {
  return applies === undefined || applies(terms);
}

function isKnown<Facts extends object>(
  { needs }: { needs: readonly (keyof Facts)[] },
  facts: Facts,
): facts is Known<Facts, keyof Facts> {
  return needs.every((fact) => facts[fact] !== undefined);
}
