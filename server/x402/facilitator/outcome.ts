/**
 * Converts a verification or settlement to its wire response. Errors become reasons, so there is always a response. The
 * observer receives every result, and `onError` receives errors that are not the payment's fault.
 */

import { getAddress } from "viem";
import type { Reason } from "@/lib/x402/reason";
import type { SettleResponse, VerifyResponse } from "@/lib/x402/types";
import { isWireError } from "@/lib/x402/wireError";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";
import { isPaymentError, PaymentError } from "@/server/x402/reads/error";
import { isNetworkError } from "@/server/x402/reads/jsonRpcError";

/** Receives the events that metrics are built from. */
export type FacilitatorObserver = {
  /** `answer` is the rejection reason, or "ok" if the request succeeded. */
  onAnswer?(kind: "verify" | "settle" | "refund", network: string, answer: Reason | "ok", durationMs: number): void;
  /** Called when a transaction with `size` settlements has been sent. */
  onBatch?(network: string, size: number): void;
};

/** The responses in wire format, restricted to the rejection reasons that this project defines. */
export type Verdict = Omit<VerifyResponse, "invalidReason"> & { invalidReason?: Reason };
export type Outcome = Omit<SettleResponse, "errorReason"> & { errorReason?: Reason };

/** Does the work of a request. It must call `onPayment` as soon as it has read the payment. */
type Work<Result> = (onPayment: (payment: FacilitatorPayment) => void) => Promise<Result>;

export type AnswerContext = { observer: FacilitatorObserver; onError: (error: unknown) => void };

/** Runs a verification. The result of `work` becomes the verdict's `extra` field. */
export async function answerVerify(
  context: AnswerContext,
  network: string,
  work: Work<VerifyResponse["extra"]>,
): Promise<Verdict> {
  const sinceMs = performance.now();
  let payment: FacilitatorPayment | undefined;
  let error: PaymentError | undefined;
  let extra: VerifyResponse["extra"];
  try {
    extra = await work((known) => {
      payment = known;
    });
  } catch (caught) {
    error = toPaymentError(context, caught, "unexpected_verify_error");
    const transaction = error.settledBy ?? error.transaction;
    extra = { ...(error.referenceCode && { code: error.referenceCode }), ...(transaction && { transaction }) };
  }
  context.observer.onAnswer?.("verify", network, error?.reason ?? "ok", performance.now() - sinceMs);
  return {
    isValid: error === undefined,
    ...(error && { invalidReason: error.reason, ...toMessage(error, "invalidMessage") }),
    ...(payment && { payer: getAddress(payment.terms.payer) }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

export async function answerSettle(
  context: AnswerContext,
  kind: "settle" | "refund",
  network: string,
  work: Work<Outcome>,
): Promise<Outcome> {
  const sinceMs = performance.now();
  let payment: FacilitatorPayment | undefined;
  const outcome = await work((known) => {
    payment = known;
  }).catch((caught) => {
    const error = toPaymentError(context, caught, "unexpected_settle_error");
    return toRefusedOutcome(error, network, payment);
  });
  context.observer.onAnswer?.(kind, network, outcome.errorReason ?? "ok", performance.now() - sinceMs);
  return outcome;
}

function toRefusedOutcome(error: PaymentError, network: string, payment: FacilitatorPayment | undefined): Outcome {
  const { reason, referenceCode: code, transaction = "", settledBy } = error;
  const extra = {
    ...(code && { code }),
    ...(payment && { paymentId: payment.id }),
    ...(settledBy && { transaction: settledBy }),
  };
  return {
    success: false,
    errorReason: reason,
    ...toMessage(error, "errorMessage"),
    ...(payment && { payer: getAddress(payment.terms.payer) }),
    transaction,
    network,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Converts every failure to a PaymentError. Errors that are not the payment's fault are reported to `onError`. */
function toPaymentError(
  { onError }: AnswerContext,
  error: unknown,
  code: "unexpected_verify_error" | "unexpected_settle_error",
): PaymentError {
  if (isPaymentError(error)) return error;
  if (isWireError(error)) return new PaymentError(error.reason, error.message);
  onError(error);
  const message = isNetworkError(error) ? undefined : "The facilitator failed.";
  return new PaymentError("unexpected_error", message, { code });
}

/**
 * Omits the message for a missing allowance, because the reference resource server returns 412 only if there is no
 * message.
 */
function toMessage<Field extends string>(error: PaymentError, field: Field): Partial<Record<Field, string>> {
  if (error.reason === ("permit2_allowance_required" satisfies Reason)) return {};
  return { [field]: error.message } as Record<Field, string>;
}
