/**
 * Runs one purchase: verifies the payment, runs the handler, settles the payment and serves the response. One payment
 * pays for one request. If the handler fails, nothing is charged; otherwise, the response is served only after
 * settlement.
 */
import { randomUUID } from "node:crypto";
import { isUsedReason } from "@/lib/x402/rules/chainRules";
import type { Hex, PaymentPayload, PaymentRequired, PaymentRequirements, SettleResponse } from "@/lib/x402/types";
import { toJsonResponse, withCors } from "@/server/http/openAnswers";
import type { HttpRequest, HttpResponse } from "@/server/http/types";
import type { FacilitatorClient } from "@/server/x402/resource-server/facilitatorClient";
import type { PaymentKey } from "@/server/x402/resource-server/paymentKey";
import { toErrorText, toPaidResponse, toRefusal } from "@/server/x402/resource-server/paymentResponses";
import type { PreparedResponse, ServedPayments } from "@/server/x402/resource-server/servedPayments";

/** The part of a payment that the handler sees. */
export type HandledPayment = {
  payer: Hex;
  requirement: PaymentRequirements;
  /**
   * Sets the amount to charge, for `upto` only. If it isn't called, the maximum is charged. Throws RangeError if the
   * amount is above the maximum, or if the scheme isn't `upto`.
   */
  charge(units: bigint): void;
};

export type PaidHandler = (request: HttpRequest, payment: HandledPayment) => Promise<HttpResponse>;

/** A request and its payment. */
export type Purchase = {
  request: HttpRequest;
  paymentRequired: PaymentRequired;
  handler: PaidHandler;
  payload: PaymentPayload;
  requirement: PaymentRequirements;
  payment: PaymentKey | undefined;
};

/** Shared by all purchases of one paywall. */
export type PurchaseContext = {
  facilitator: FacilitatorClient;
  served: ServedPayments;
  onError: (error: unknown) => void;
};

export async function fulfillPurchase(context: PurchaseContext, purchase: Purchase): Promise<HttpResponse> {
  const { facilitator, served } = context;
  const { request, paymentRequired, payload, requirement, payment } = purchase;
  const kept = payment && served.findKept(payment.key);
  if (kept) return settlePurchase(context, purchase, kept);

  const verdict = await facilitator.verify(payload, requirement);
  if (!verdict.isValid) {
    const { invalidReason = "unexpected_error", invalidMessage } = verdict;
    const status = invalidReason === "permit2_allowance_required" ? 412 : 402;
    return toRefusal(paymentRequired, toErrorText(invalidReason, invalidMessage), { status });
  }
  if (payment && served.wasServed(payment.key)) return toRefusal(paymentRequired, "payment_already_used");
  const prepared = await runHandler(context, purchase, verdict.payer as Hex);
  if (prepared.response.status < 400 && !request.signal?.aborted) return settlePurchase(context, purchase, prepared);
  facilitator.release(payload, requirement);
  return withCors(prepared.response);
}

async function runHandler(
  { onError }: PurchaseContext,
  { request, handler, requirement }: Purchase,
  payer: Hex,
): Promise<PreparedResponse> {
  let charged = requirement;
  const idempotencyKey = randomUUID();
  const charge = (units: bigint) => {
    charged = toCharged(requirement, units);
  };
  try {
    const response = await handler(request, { payer, requirement, charge });
    return { response, requirement: charged, idempotencyKey };
  } catch (error) {
    onError(error);
    const response = toJsonResponse(500, { error: "The resource failed. You were not charged." });
    return { response, requirement, idempotencyKey };
  }
}

async function settlePurchase(
  { facilitator, served }: PurchaseContext,
  { paymentRequired, payload, payment }: Purchase,
  prepared: PreparedResponse,
): Promise<HttpResponse> {
  const { response, requirement, idempotencyKey } = prepared;
  const key = payment?.key;
  const settle = () => facilitator.settle(payload, requirement, { idempotencyKey });
  let outcome = await settle();
  let unanswered = prepared.unanswered === true;
  // If the settlement is pending, a second call continues it, so a slow block doesn't fail the purchase.
  if (outcome.errorReason === "settlement_pending") {
    unanswered ||= outcome.transaction === "";
    outcome = await settle();
  }
  if (unanswered && isLostSuccess(outcome)) outcome = toLostSuccess(outcome, requirement);
  if (outcome.success) {
    if (payment) served.recordServed(payment.key, payment.validBefore);
    if (key !== undefined) served.forget(key);
    return toPaidResponse(response, outcome);
  }
  const { errorReason = "unexpected_error", errorMessage } = outcome;
  // The payer may still be charged, so the response is kept until the payer retries.
  const unclear = errorReason === "settlement_pending" || errorReason === "unexpected_error";
  unanswered ||= unclear && outcome.transaction === "";
  if (key !== undefined && unclear) served.keep(key, { ...prepared, unanswered });
  return toRefusal(paymentRequired, toErrorText(errorReason, errorMessage), { outcome });
}

/**
 * Whether to assume that our own settlement used the authorization but its response was lost. This is safe, because
 * only a payment to this payee can use the authorization. A facilitator that returns payment IDs supports idempotency
 * keys and would have repeated our success, so another caller must have received it.
 */
function isLostSuccess({ errorReason, extra }: SettleResponse): boolean {
  return isUsedReason(errorReason) && extra?.paymentId === undefined;
}

function toLostSuccess({ network, payer }: SettleResponse, { amount }: PaymentRequirements): SettleResponse {
  return { success: true, transaction: "", network, ...(payer && { payer }), amount };
}

function toCharged(requirement: PaymentRequirements, units: bigint): PaymentRequirements {
  const { scheme, amount } = requirement;
  if (scheme !== "upto")
    throw new RangeError(
      `Payments with the ${scheme} scheme are charged in full; only the upto scheme allows a different amount.`,
    );
  if (units < 0n || units > BigInt(amount))
    throw new RangeError(`The charge of ${units} units must be between 0 and ${amount}.`);
  return { ...requirement, amount: units.toString() };
}
