/**
 * A refused payment explained: which rule, what the server said, what was asked and what was given, and what to do.
 * The values are those of the exchange itself; where the exchange does not hold them, none are shown.
 */
import { t } from "@/lib/messages/translate";
import { findReason, type Reason } from "@/lib/x402/reason";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { FlowValue, FormatAmount } from "./flowEntries";

export type Comparison = { asked: FlowValue; given: FlowValue };
export type Refusal = {
  /** Our word of the rule; undefined where the server's word is unknown. */
  reason?: Reason;
  cause: string;
  /** What the server said of this payment beyond the word. */
  said?: string;
  fix?: string;
  comparison?: Comparison;
};

/** What the exchange knows of a payment beyond what was sent. */
export type RefusalFacts = {
  payload?: PaymentPayload | undefined;
  /** What the payer held of the asset when it was asked. */
  balanceUnits?: bigint | undefined;
  /** Whose signature it is, by recovery. */
  signer?: Hex | undefined;
  /** When the refusal came, in milliseconds since the epoch. */
  atMs: number;
};

/** @param error the error text of the 402 answer, or the facilitator's reason: a word, alone or before ": message". */
export function toRefusal(error: string, facts: RefusalFacts, formatAmount: FormatAmount): Refusal {
  const found = findReason(error);
  if (!found) return { cause: t("play.refusedUnknown", { error }) };
  const { reason, cause, fix } = found;
  const said = error.slice(error.indexOf(":") + 1).trim();
  const comparison = facts.payload && compare(reason, facts.payload, facts, formatAmount);
  return {
    reason,
    cause,
    ...(error.includes(":") && said !== "" && said !== cause && { said }),
    fix,
    ...(comparison && { comparison }),
  };
}

function compare(
  reason: Reason,
  { accepted, payload }: PaymentPayload,
  { balanceUnits, signer, atMs }: RefusalFacts,
  formatAmount: FormatAmount,
): Comparison | undefined {
  const { authorization, permit2Authorization } = payload as {
    authorization?: { from: string; to: string; value: string; validAfter: string; validBefore: string };
    permit2Authorization?: {
      from: string;
      permitted: { token: string; amount: string };
      deadline: string;
      witness: { to: string; validAfter: string };
    };
  };
  const from = authorization?.from ?? permit2Authorization?.from;
  const to = authorization?.to ?? permit2Authorization?.witness.to;
  const amount = authorization?.value ?? permit2Authorization?.permitted.amount;
  const until = authorization?.validBefore ?? permit2Authorization?.deadline;
  const since = authorization?.validAfter ?? permit2Authorization?.witness.validAfter;
  const now = toTime(Math.floor(atMs / 1000));
  switch (reason) {
    case "insufficient_funds":
      // What was read before may be spent since: then the server's own sentence has the numbers.
      return balanceUnits !== undefined && balanceUnits < BigInt(accepted.amount)
        ? compareFunds(accepted, balanceUnits, formatAmount)
        : undefined;
    case "invalid_exact_evm_signature":
    case "invalid_permit2_signature":
      // Signed by the right key over what was altered since: two equal accounts would explain nothing.
      return from && signer && from.toLowerCase() !== signer.toLowerCase()
        ? { asked: { address: from }, given: { address: signer } }
        : undefined;
    case "invalid_exact_evm_recipient_mismatch":
    case "invalid_permit2_recipient_mismatch":
      return to ? { asked: { address: accepted.payTo }, given: { address: to } } : undefined;
    case "invalid_exact_evm_payload_authorization_value_mismatch":
    case "permit2_amount_mismatch":
      return amount
        ? { asked: formatAmount(accepted), given: formatAmount({ asset: accepted.asset, amount }) }
        : undefined;
    case "invalid_exact_evm_payload_authorization_valid_before":
    case "permit2_deadline_expired":
      return until ? { asked: t("play.after", { time: now }), given: toTime(Number(until)) } : undefined;
    case "invalid_exact_evm_payload_authorization_valid_after":
    case "permit2_not_yet_valid":
      return since ? { asked: t("play.before", { time: now }), given: toTime(Number(since)) } : undefined;
    default:
      return undefined;
  }
}

/** The price against what the payer holds. */
export function compareFunds(
  { asset, amount }: Pick<PaymentRequirements, "asset" | "amount">,
  balanceUnits: bigint,
  formatAmount: FormatAmount,
): Comparison {
  return { asked: formatAmount({ asset, amount }), given: formatAmount({ asset, amount: balanceUnits.toString() }) };
}

/** Seconds since the epoch as UTC text; the digits where no date can hold them. */
function toTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z");
}
