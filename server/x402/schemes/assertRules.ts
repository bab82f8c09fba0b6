import { findBrokenRule, type Rule } from "@/lib/x402/rules/rule";
import { PaymentError } from "@/server/x402/reads/error";

/** Throws PaymentError if the payment breaks a rule. Rules with unknown facts are skipped. */
export function assertRules<Terms, Facts extends object>(
  rules: readonly Rule<Terms, Facts>[],
  terms: Terms,
  facts: Facts,
): void {
  const error = findRuleError(rules, terms, facts);
  if (error) throw error;
}

/** Returns the error for the first rule that the payment breaks. Rules with unknown facts are skipped. */
export function findRuleError<Terms, Facts extends object>(
  rules: readonly Rule<Terms, Facts>[],
  terms: Terms,
  facts: Facts,
): PaymentError | undefined {
  const broken = findBrokenRule(rules, terms, facts);
  if (!broken) return undefined;
  const { reason, code, toMessage } = broken;
  return new PaymentError(reason, toMessage?.(terms, facts as never), code === undefined ? {} : { code });
}
