/**
 * The extension payment-identifier: a client's own name for a payment, so that a repeated request is known as one. The
 * ledger gives a name to one payment alone; who repeats it gets that payment's result, anybody else a conflict.
 */
import type { PaymentPayload } from "@/lib/x402/types";
import { PaymentError } from "@/server/x402/reads/error";

export const paymentIdentifierKey = "payment-identifier";

/** The identifier of a payment; undefined where there is none. Throws PaymentError where it must be there or is malformed. */
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
      "The resource requires a payment identifier, and there is none.",
    );
  }
  if (typeof id !== "string" || !/^[a-zA-Z0-9_-]{16,128}$/.test(id)) {
    throw new PaymentError(
      "invalid_payment_identifier",
      "A payment identifier has 16 to 128 letters, digits, hyphens or underscores.",
    );
  }
  return id;
}
