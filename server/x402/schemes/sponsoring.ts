/** Reads the `info` of a gas sponsoring extension from a payment. */
import type { Reason } from "@/lib/x402/reason";
import type { PaymentPayload } from "@/lib/x402/types";
import { isWireError } from "@/lib/x402/wireError";
import { PaymentError } from "@/server/x402/reads/error";

/**
 * Reads an extension's `info` from a payment. Returns undefined if there is none, or if the client only copied the
 * declaration. If it is malformed, throws PaymentError with `reason`.
 */
export function findSponsoringInfo<Info>(
  { extensions }: PaymentPayload,
  key: string,
  signedField: string,
  parse: (info: unknown) => Info,
  reason: Reason,
): Info | undefined {
  const extension = extensions?.[key] as { info?: Record<string, unknown> } | null | undefined;
  if (extension?.info?.[signedField] === undefined) return undefined;
  try {
    return parse(extension.info);
  } catch (error) {
    if (isWireError(error)) throw new PaymentError(reason, error.message);
    throw error;
  }
}
