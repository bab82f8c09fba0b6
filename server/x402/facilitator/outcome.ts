/**
 * Turns a verification or settlement into its wire answer; errors become reasons, so there is always an answer. Errors
 * that are not the payment's fault go only to onError; every answer goes to the observer.
 */
import type { Reason } from "@/lib/x402/reason";
import type { Hex, SettleResponse, VerifyResponse } from "@/lib/x402/types";
import { WireError } from "@/lib/x402/wire";
import { toPaymentId } from "@/server/x402/facilitator/ledger";
import { PaymentError } from "@/server/x402/reads/error";
import { NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { Payment } from "@/server/x402/schemes/scheme";

/** Receives the events that metrics are built from. */
export type FacilitatorObserver = {
  /** answer is the reason if the request did not succeed. */
  onAnswer?(kind: "verify" | "settle" | "refund", network: string, answer: Reason | "ok", durationMs: number): void;
  /** A transaction with this many settlements was sent. */
  onBatch?(network: string, size: number): void;
};

/** The wire format's answers, with reason limited to ours. */
export type Verdict = Omit<VerifyResponse, "invalidReason"> & { invalidReason?: Reason };
export type Outcome = Omit<SettleResponse, "errorReason"> & { errorReason?: Reason };

/** Does the work, and calls onPayment as soon as the payment is known. */
type Work<Result> = (onPayment: (payment: Payment) => void) => Promise<Result>;

export type Answerer = {
  verify(network: string, work: Work<void>): Promise<Verdict>;
  settle(kind: "settle" | "refund", network: string, work: Work<Outcome>): Promise<Outcome>;
};

/** Builds the answerer of a facilitator. */
export function createAnswerer(observer: FacilitatorObserver, onError: (error: unknown) => void): Answerer {
  /** Converts every failure to a PaymentError; errors that are not the payment's fault are reported to onError. */
  function toPaymentError(error: unknown, code: "unexpected_verify_error" | "unexpected_settle_error"): PaymentError {
    if (error instanceof PaymentError) return error;
    if (error instanceof WireError) return new PaymentError(error.reason, error.message);
    onError(error);
    const message = error instanceof NetworkError ? undefined : "The facilitator failed.";
    return new PaymentError("unexpected_error", message, { code });
  }

  return {
    async verify(network, work) {
      const sinceMs = performance.now();
      let payer: Hex | undefined;
      let verdict: Verdict;
      try {
        await work((payment) => {
          payer = payment.terms.payer;
        });
        verdict = { isValid: true, ...(payer && { payer }) };
      } catch (caught) {
        const error = toPaymentError(caught, "unexpected_verify_error");
        verdict = {
          isValid: false,
          invalidReason: error.reason,
          ...toMessage(error, "invalidMessage"),
          ...(payer && { payer }),
          ...(error.referenceCode && { extra: { code: error.referenceCode } }),
        };
      }
      const { invalidReason = "ok" } = verdict;
      observer.onAnswer?.("verify", network, invalidReason, performance.now() - sinceMs);
      return verdict;
    },

    async settle(kind, network, work) {
      const sinceMs = performance.now();
      let payment: Payment | undefined;
      let outcome: Outcome;
      try {
        outcome = await work((made) => {
          payment = made;
        });
      } catch (caught) {
        const error = toPaymentError(caught, "unexpected_settle_error");
        const { referenceCode: code } = error;
        const paymentId = payment && toPaymentId(payment.terms);
        outcome = {
          success: false,
          errorReason: error.reason,
          ...toMessage(error, "errorMessage"),
          ...(payment && { payer: payment.terms.payer }),
          transaction: error.transaction ?? "",
          network,
          ...((code || paymentId) && { extra: { ...(code && { code }), ...(paymentId && { paymentId }) } }),
        };
      }
      observer.onAnswer?.(kind, network, outcome.errorReason ?? "ok", performance.now() - sinceMs);
      return outcome;
    },
  };
}

/** The reference resource server answers 412 for a missing allowance only if there is no message. */
function toMessage<Field extends string>(error: PaymentError, field: Field): Partial<Record<Field, string>> {
  if (error.reason === ("permit2_allowance_required" satisfies Reason)) return {};
  return { [field]: error.message } as Record<Field, string>;
}
