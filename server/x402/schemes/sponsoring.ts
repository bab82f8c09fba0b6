/**
 * Code that the two gas sponsoring extensions share: creates their declarations, and reads their `info` from a payment.
 */
import type { Reason } from "@/lib/x402/reason";
import type { Extensions, PaymentPayload } from "@/lib/x402/types";
import { isWireError } from "@/lib/x402/wireError";
import { PaymentError } from "@/server/x402/reads/error";

/** Creates the declaration that a resource adds to its extensions to tell clients that they may send `info`. */
export function toSponsoringExtension(key: string, description: string, fields: readonly string[]): Extensions {
  return {
    [key]: {
      info: { description, version: "1" },
      schema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: Object.fromEntries(fields.map((name) => [name, { type: "string" }])),
        required: fields,
      },
    },
  };
}

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
