/**
 * Checks before signing whether this payment can succeed at all. A failed check stops nothing: it only predicts what
 * the facilitator will say.
 */
import type { Check, CheckValue } from "@/lib/payflow/flow";
import type { PaymentFacts } from "@/lib/payflow/paymentFacts";
import { findChainId, isApprovalSponsored } from "@/lib/x402/signPayment";
import type { Extensions, PaymentRequirements } from "@/lib/x402/types";

/** A payment is valid for minutes only, so a clock that is off by more than this may make it invalid. */
const maxClockSeconds = 5;

type PreflightRule = "chain" | "code" | "balance" | "domain" | "clock" | "allowance" | "proxy";

/** extensions are the 402 answer's: a server may accept a permit instead of an allowance. */
export function toPreflight(
  requirement: PaymentRequirements,
  facts: PaymentFacts,
  extensions: Extensions | undefined,
): Check[] {
  const { amount, asset } = requirement;
  const check = (
    rule: PreflightRule,
    passes: boolean | undefined,
    asked: CheckValue,
    given: CheckValue | undefined,
  ): Check => ({
    rule,
    outcome: passes === undefined ? "unknown" : passes ? "pass" : "fail",
    asked,
    given: given ?? "?",
  });
  const units = (value: bigint | undefined) => (value === undefined ? undefined : { units: value.toString(), asset });
  const { chainId, balance, domain, clockAheadSeconds: ahead, permit2 } = facts;
  const wanted = findChainId(requirement.network);
  const checks = [
    check("chain", chainId === undefined ? undefined : chainId === wanted, String(wanted), toText(chainId)),
    check("code", facts.assetHasCode, { address: asset }, toCodeText(facts.assetHasCode)),
    check(
      "balance",
      balance === undefined ? undefined : balance >= BigInt(amount),
      { units: amount, asset },
      units(balance),
    ),
    check("domain", domain?.onChain && domain.onChain === domain.computed, domain?.onChain ?? "?", domain?.computed),
    check(
      "clock",
      ahead === undefined ? undefined : Math.abs(ahead) <= maxClockSeconds,
      `±${maxClockSeconds} s`,
      ahead === undefined ? undefined : `${ahead} s`,
    ),
  ];
  if (!permit2) return checks;
  const sponsored = isApprovalSponsored(requirement, extensions);
  const enough = permit2.allowance === undefined ? undefined : permit2.allowance >= BigInt(amount);
  return [
    ...checks,
    check("proxy", permit2.proxyHasCode, { address: permit2.proxy }, toCodeText(permit2.proxyHasCode)),
    check(
      "allowance",
      sponsored || enough,
      { units: amount, asset },
      sponsored && !enough ? "permit" : units(permit2.allowance),
    ),
  ];
}

function toText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function toCodeText(hasCode: boolean | undefined): string | undefined {
  return hasCode === undefined ? undefined : hasCode ? "code" : "0x";
}
