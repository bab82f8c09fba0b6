/**
 * Why a payment is rejected: a reason and a short message. Clients see the message. It never contains calldata, keys or
 * a node's own text.
 */
import { hasErrorCode } from "@/lib/hasErrorCode";
import { getReason, type Reason } from "@/lib/x402/reason";
import type { Hex } from "@/lib/x402/types";

type PaymentErrorDetails = {
  /** The reference facilitator's code, if different from the reason. */
  code?: string;
  /** Hash of the settlement transaction. */
  transaction?: Hex;
  /** Hash of the earlier transaction that used the authorization. */
  settledBy?: Hex;
};

export class PaymentError extends Error {
  override name = "PaymentError";
  readonly code = "PAYMENT_REFUSED";
  readonly reason: Reason;
  readonly referenceCode: string | undefined;
  readonly transaction: Hex | undefined;
  readonly settledBy: Hex | undefined;

  constructor(reason: Reason, message?: string, details: PaymentErrorDetails = {}) {
    super(message ?? getReason(reason).cause);
    this.reason = reason;
    this.referenceCode = details.code ?? getReason(reason).code;
    this.transaction = details.transaction;
    this.settledBy = details.settledBy;
  }
}

export function isPaymentError(error: unknown): error is PaymentError {
  return hasErrorCode(error, "PAYMENT_REFUSED");
}
