/**
 * The payment-identifier extension: the client chooses an ID by which the facilitator recognizes a retry. The ledger
 * binds each ID to one payment. Sending that payment again returns its result, but any other payment with the ID is
 * rejected as a conflict.
 */
import type { PaymentPayload } from "@/lib/x402/types";
import { PaymentError } from "@/server/x402/reads/error";

export const paymentIdentifierKey = "payment-identifier";

/** A payment's identifier, or undefined. Throws PaymentError if it is malformed, or required but missing. */
export function findPaymentIdentifier({ extensions }: PaymentPayload): string | undefined {
  const extension = extensions?.[paymentIdentifierKey] as
    | { info?: { id?: unknown; required?: unknown } }
    | null
    | undefined;
  const { id, required } = extension?.info ?? {};
  if (id === undefined || id === null) {
    if (required !== true) return undefined;
    throw new PaymentError(
      "invalid_payment_identifier",
      "The resource requires a payment identifier, but the payment has none.",
    );
  }
  if (typeof id !== "string" || !/^[a-zA-Z0-9_-]{16,128}$/.test(id)) {
    throw new PaymentError(
      "invalid_payment_identifier",
      "The payment identifier must be 16 to 128 letters, digits, hyphens or underscores.",
    );
  }
  return id;
}
