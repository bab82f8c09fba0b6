/**
 * Chooses one of a 402 response's payment options and records why it skipped the others. Follows the server's order,
 * and only chooses assets and amounts that the payer allowed.
 */
import { hasErrorCode } from "@/lib/hasErrorCode";
import type { TokenAccess } from "@/lib/x402/payer";
import { canSignPayment } from "@/lib/x402/signPayment";
import type { PaymentRequirements } from "@/lib/x402/types";

/** The most that one call may spend in an asset. Payments in an asset without a limit are never signed. */
export type SpendLimit = { network: string; asset: string; maxUnits: bigint };

/** A payment option and why it was chosen or skipped. Units are decimal strings. */
export type Considered = {
  requirement: PaymentRequirements;
  verdict: "chosen" | "unknownWay" | "otherAsset" | "overLimit" | "tooPoor" | "notNeeded";
  /** The payer's balance, if it was read. */
  balanceUnits?: string;
  /** The asset's spending limit, if it is below the requested amount. */
  maxUnits?: string;
};

type PayFetchReason =
  | "malformed_answer"
  | "no_acceptable_requirement"
  | "spend_limit"
  | "insufficient_funds"
  | "allowance_required";

/** Thrown if no payment can be made. The message explains why and can be shown to users. */
export class PayFetchError extends Error {
  override name = "PayFetchError";
  readonly code = "PAYMENT_NOT_SENT";
  readonly reason: PayFetchReason;
  /** Every option that was considered, if none could be chosen; otherwise empty. */
  readonly considered: readonly Considered[];

  constructor(reason: PayFetchReason, message: string, considered: readonly Considered[] = []) {
    super(message);
    this.reason = reason;
    this.considered = considered;
  }
}

export function isPayFetchError(error: unknown): error is PayFetchError {
  return hasErrorCode(error, "PAYMENT_NOT_SENT");
}

export type ChoiceOptions = Partial<Pick<TokenAccess, "getBalance">> & { spendLimits: readonly SpendLimit[] };

/**
 * Returns the first requirement, in the server's order, that can be signed, is within its limit and is affordable.
 * Throws PayFetchError, and getBalance's errors.
 */
export async function chooseRequirement(
  accepts: readonly PaymentRequirements[],
  options: ChoiceOptions,
): Promise<{ requirement: PaymentRequirements; considered: Considered[] }> {
  const considered: Considered[] = [];
  for (const requirement of accepts) {
    const chosen = considered.some(({ verdict }) => verdict === "chosen");
    considered.push(chosen ? { requirement, verdict: "notNeeded" } : await consider(requirement, options));
  }
  const found = considered.find(({ verdict }) => verdict === "chosen");
  if (found) return { requirement: found.requirement, considered };
  throw toError(considered);
}

async function consider(
  requirement: PaymentRequirements,
  { spendLimits, getBalance }: ChoiceOptions,
): Promise<Considered> {
  const limit = spendLimits.find(
    ({ network, asset }) => network === requirement.network && asset.toLowerCase() === requirement.asset.toLowerCase(),
  );
  if (!limit) return { requirement, verdict: "otherAsset" };
  if (!canSignPayment(requirement)) return { requirement, verdict: "unknownWay" };
  const units = BigInt(requirement.amount);
  if (units > limit.maxUnits) return { requirement, verdict: "overLimit", maxUnits: limit.maxUnits.toString() };
  if (!getBalance) return { requirement, verdict: "chosen" };
  const balance = await getBalance(requirement);
  return { requirement, verdict: balance < units ? "tooPoor" : "chosen", balanceUnits: balance.toString() };
}

/** Creates the error for the option that came closest to being paid. */
function toError(considered: readonly Considered[]): PayFetchError {
  if (considered.some(({ verdict }) => verdict === "tooPoor")) {
    const message = "The payer's balance is too low in every accepted asset.";
    return new PayFetchError("insufficient_funds", message, considered);
  }
  const over = considered.find(({ verdict }) => verdict === "overLimit");
  if (over) {
    const message = `The resource costs ${over.requirement.amount} units; the spending limit is ${over.maxUnits}.`;
    return new PayFetchError("spend_limit", message, considered);
  }
  return new PayFetchError(
    "no_acceptable_requirement",
    "None of the accepted payment options can be paid: for each one, its asset has no spending limit set, or the payment can't be signed.",
    considered,
  );
}
