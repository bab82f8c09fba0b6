/**
 * Before a payment is signed, checks whether it can succeed. A failed check doesn't block the payment; it only predicts
 * the verdict.
 */
import type { ChainReading } from "@/lib/payflow/paymentFacts";
import { allowanceRule, assetCodeRule, balanceRule, proxyCodeRule } from "@/lib/x402/rules/chainRules";
import { type Check, type CheckValue, checkRule } from "@/lib/x402/rules/rule";
import { findChainId, isApprovalSponsored } from "@/lib/x402/signPayment";
import type { Extensions, PaymentRequirements } from "@/lib/x402/types";

/** Payments are only valid for a few minutes. If the clocks differ by more than this, a payment may be invalid. */
const maxClockSeconds = 5;

/**
 * `extensions` comes from the 402 response. With some extensions, the server accepts a permit instead of an allowance.
 */
export function toPreflight(
  required: PaymentRequirements,
  facts: ChainReading,
  extensions: Extensions | undefined,
): Check[] {
  const { chainId, domain, clockAheadSeconds: ahead, contracts } = facts;
  const known = { ...facts, isSponsored: isApprovalSponsored(required, extensions) };
  // Shows the rule's name instead of its rejection reason, because the payment hasn't been rejected.
  const run = (rule: typeof balanceRule): Check => ({
    ...checkRule(rule, { required, contracts }, known),
    rule: rule.name,
  });
  const wanted = findChainId(required.network);
  return [
    toCheck("chain", chainId === undefined ? undefined : chainId === wanted, String(wanted), chainId),
    run(assetCodeRule),
    run(balanceRule),
    toCheck("domain", domain?.onChain && domain.onChain === domain.computed, domain?.onChain ?? "?", domain?.computed),
    toCheck(
      "clock",
      ahead === undefined ? undefined : Math.abs(ahead) <= maxClockSeconds,
      `±${maxClockSeconds} s`,
      ahead === undefined ? undefined : `${ahead} s`,
    ),
    ...(contracts ? [run(proxyCodeRule), run(allowanceRule)] : []),
  ];
}

function toCheck(
  rule: "chain" | "domain" | "clock",
  passes: boolean | undefined,
  asked: CheckValue,
  given: string | number | undefined,
): Check {
  const outcome = passes === undefined ? "unknown" : passes ? "pass" : "fail";
  return { rule, outcome, asked, given: String(given ?? "?") };
}
