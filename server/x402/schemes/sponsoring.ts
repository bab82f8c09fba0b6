/** Shared by the two gas sponsoring extensions: their declaration, and the form of `info` in a payment. */
import type { Reason } from "@/lib/x402/reason";
import type { Extensions, PaymentPayload } from "@/lib/x402/types";
import { isWireError } from "@/lib/x402/wireError";
import { PaymentError } from "@/server/x402/reads/error";

/** A resource adds this to its extensions to tell clients that they may send `info`. */
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
 * The `info` of a payment's extension. Undefined if there is none, or if the client only copied the declaration. Throws
 * PaymentError with the reason if it is malformed.
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
