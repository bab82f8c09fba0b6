/**
 * Why a payment is refused: a reason and a one-sentence message. Strangers see the message, so it never contains
 * calldata, keys or a node's own words.
 */
import { getReason, type Reason } from "@/lib/x402/reason";
import type { Hex } from "@/lib/x402/types";
import type { WireError } from "@/lib/x402/wire";

type PaymentErrorDetails = {
  /** The reference facilitator's code, if different from the reason. */
  code?: string;
  /** Hash of the settlement transaction. */
  transaction?: Hex;
};

export class PaymentError extends Error {
  override name = "PaymentError";
  readonly code = "PAYMENT_REFUSED";
  readonly reason: Reason;
  /** The reference facilitator's code. */
  readonly referenceCode: string | undefined;
  readonly transaction: Hex | undefined;

  constructor(reason: Reason, message?: string, details: PaymentErrorDetails = {}) {
    super(message ?? getReason(reason).cause);
    this.reason = reason;
    this.referenceCode = details.code ?? getReason(reason).code;
    this.transaction = details.transaction;
  }
}

/** Rooms tell errors apart by code, not by class. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

export function isPaymentError(error: unknown): error is PaymentError {
  return hasErrorCode(error, "PAYMENT_REFUSED");
}

/** Whether a message breaks the protocol's rules. */
export function isWireError(error: unknown): error is WireError {
  return hasErrorCode(error, "INVALID_MESSAGE");
}

/**
 * HTTP status of the facilitator's answer. A verdict is a valid answer, so it is sent with 200; only a question that
 * cannot be answered is an HTTP error.
 */
export function toStatus(reason: Reason): number {
  switch (reason) {
    case "invalid_x402_version":
    case "invalid_payload":
    case "invalid_payment_requirements":
    case "unsupported_scheme":
    case "invalid_network":
    case "invalid_payment_identifier":
      return 400;
    case "payment_not_found":
      return 404;
    case "payment_identifier_conflict":
      return 409;
    case "rate_limited":
      return 429;
    case "permit2_allowance_required":
      return 412;
    case "unexpected_error":
    case "no_database":
      return 503;
    default:
      return 200;
  }
}
