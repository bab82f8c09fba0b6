/**
 * Explains a rejected payment: who rejected it, the reason, the server's message, the expected and actual values, and
 * the fix. The values come from the exchange.
 */
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { findReason, type Reason } from "@/lib/x402/reason";
import { findTransferMethod } from "@/lib/x402/signedPayment";
import type { PaymentRequirements } from "@/lib/x402/types";
import { isServerRule } from "./flowEntries";
import { type FlowValue, type FormatAmount, toFlowValue } from "./flowValue";

/** `label` says what `given` is, if it isn't the value that was sent. */
export type Comparison = { asked: FlowValue; given: FlowValue; label?: string };
export type Where = "client" | "server" | "verify" | "settle" | "unknown";
export type Refusal = {
  /** Undefined if the server's reason is not a known one. */
  reason?: Reason;
  where?: Where;
  cause: string;
  /** The server's message, which follows the reason code. */
  said?: string;
  fix?: string;
  comparison?: Comparison;
};

/** @param error the 402 response's error or the facilitator's reason: a reason code, alone or followed by ": message". */
export function toRefusal(error: string, steps: readonly FlowStep[], formatAmount: FormatAmount): Refusal {
  const found = findReason(error);
  const where = findWhere(found?.reason, steps);
  if (!found) return { where, cause: `The resource server returned an unknown reason: ${error}` };
  const { reason } = found;
  const { cause, fix } = { ...found, ...findExplanation(reason, where, steps) };
  const said = error.slice(error.indexOf(":") + 1).trim();
  const comparison = compare(reason, steps, formatAmount);
  return {
    reason,
    where,
    cause,
    // If there is a comparison, the message is left out, because it usually repeats the two compared values.
    ...(error.includes(":") && said !== "" && said !== cause && !comparison && { said }),
    fix,
    ...(comparison && { comparison }),
  };
}

/**
 * The headline for a rejection. It doesn't say that the payment was rejected if the payment settled or may still
 * settle.
 */
export function toHeadline(error: string, steps: readonly FlowStep[]): { title: string; isOpen: boolean } {
  if (isSettledUnheard(steps)) {
    return { title: "Payment settled, but the client never got confirmation", isOpen: true };
  }
  return findReason(error)?.reason === "settlement_pending"
    ? { title: "Settlement not confirmed yet", isOpen: true }
    : { title: "Payment rejected", isOpen: false };
}

/** Whether the ledger shows that the payment settled although the client was never told. */
function isSettledUnheard(steps: readonly FlowStep[]): boolean {
  const isHeard = steps.some((step) => step.kind === "settlement" && step.settlement.success);
  return !isHeard && findStep(steps, "ledger")?.payment.state === "settled";
}

/** Returns an explanation that is more precise than the general one for the reason, if there is one. */
function findExplanation(
  reason: Reason,
  where: Where,
  steps: readonly FlowStep[],
): { cause: string; fix?: string } | undefined {
  if (isSettledUnheard(steps)) {
    return {
      cause: "The payment settled, but the facilitator’s confirmation didn’t reach the resource server in time.",
    };
  }
  const requirement = findStep(steps, "choice")?.requirement;
  const domain = reason.endsWith("_signature") && requirement && findDomainFault(requirement, steps);
  if (domain) {
    return {
      cause: `The signature is for another EIP-712 domain: its ${domain.field} is wrong. So it recovers to another address.`,
      fix: `Set the domain’s ${domain.field} to ${domain.value}, as in the 402 response.`,
    };
  }
  if (reason === "unexpected_error" && where === "unknown") {
    return {
      cause: "The facilitator failed, so the resource server couldn’t verify the payment.",
      fix: "Try again. If the error persists, check the facilitator’s status and logs.",
    };
  }
  return undefined;
}

/** The party that rejected the payment. The resource server checks its rules before it calls a facilitator. */
function findWhere(reason: Reason | undefined, steps: readonly FlowStep[]): Where {
  if (findStep(steps, "settlement")?.settlement.success === false) return "settle";
  const asked = findStep(steps, "facilitatorAnswer");
  if (asked?.failed) return asked.path === "settle" ? "settle" : "verify";
  if (!findStep(steps, "paidRequest") && !asked) return "client";
  if (reason === undefined || reason === "unexpected_error") return "unknown";
  return isServerRule(reason) ? "server" : "verify";
}

/**
 * The expected and actual values for the broken rule. For a signature, compares the domain first, because a wrong
 * domain changes the recovered address.
 */
function compare(reason: Reason, steps: readonly FlowStep[], formatAmount: FormatAmount): Comparison | undefined {
  const requirement = findStep(steps, "choice")?.requirement;
  if (reason.endsWith("_signature") && requirement) {
    const domain = findDomainFault(requirement, steps);
    if (domain) return domain.comparison;
  }
  if (reason === "payment_already_used" || reason.endsWith("nonce_already_used")) return compareNonce(steps);
  if (reason === "unexpected_error" || reason === "settlement_pending") return compareAnswer(steps);
  if (reason === "invalid_upto_evm_payload_settlement_exceeds_amount") return compareCharge(steps, formatAmount);
  const checks = findStep(steps, "verify")?.checks ?? [];
  const check = checks.find(({ rule, outcome }) => rule === reason && outcome === "fail");
  if (!check) return undefined;
  return { asked: toFlowValue(check.asked, formatAmount), given: toFlowValue(check.given, formatAmount) };
}

/** The first field of the signed EIP-712 domain that differs from the offer, and its right value. */
type DomainFault = { field: "chainId" | "name" | "version"; value: string; comparison: Comparison };

function findDomainFault(requirement: PaymentRequirements, steps: readonly FlowStep[]): DomainFault | undefined {
  const domain = findStep(steps, "typedData")?.data.domain;
  if (!domain) return undefined;
  const { network } = requirement;
  if (network !== `eip155:${domain.chainId}`) {
    const value = network.slice(network.indexOf(":") + 1);
    return { field: "chainId", value, comparison: { asked: network, given: `eip155:${domain.chainId}` } };
  }
  const { name, version } = (requirement.extra ?? {}) as { name?: unknown; version?: unknown };
  if (findTransferMethod(requirement) === "permit2" || typeof name !== "string") return undefined;
  if (domain.name !== name) {
    const comparison = { asked: `domain name ${name}`, given: `domain name ${domain.name}` };
    return { field: "name", value: name, comparison };
  }
  if (domain.version === version) return undefined;
  const value = String(version);
  return { field: "version", value, comparison: { asked: value, given: String(domain.version) } };
}

/** Names the transaction that used the nonce, if an earlier response includes this transaction. */
function compareNonce(steps: readonly FlowStep[]): Comparison | undefined {
  const used = steps.findLast((step) => step.kind === "settlement" && step.settlement.success);
  if (used?.kind !== "settlement" || used.settlement.transaction === "") return undefined;
  return { asked: "an unused nonce", given: { transaction: used.settlement.transaction }, label: "Nonce used in" };
}

/** If the facilitator failed, compares the expected response with the reported failure. */
function compareAnswer(steps: readonly FlowStep[]): Comparison | undefined {
  const error = findStep(steps, "refusal")?.paymentRequired.error ?? "";
  const said = error.slice(error.indexOf(":") + 1).trim();
  if (!error.includes(":") || said === "") return undefined;
  return { asked: "a response from the facilitator", given: said };
}

function compareCharge(steps: readonly FlowStep[], formatAmount: FormatAmount): Comparison | undefined {
  const body = findStep(steps, "facilitatorRequest")?.body as { paymentRequirements?: PaymentRequirements } | undefined;
  const permitted = findStep(steps, "signature")?.payload.accepted;
  if (!body?.paymentRequirements || !permitted) return undefined;
  return {
    asked: `at most ${formatAmount(permitted)}`,
    given: formatAmount(body.paymentRequirements),
  };
}

/** Compares the price with the payer's balance. */
export function compareFunds(
  { asset, amount }: Pick<PaymentRequirements, "asset" | "amount">,
  balanceUnits: bigint,
  formatAmount: FormatAmount,
): Comparison {
  return { asked: formatAmount({ asset, amount }), given: formatAmount({ asset, amount: balanceUnits.toString() }) };
}
