/**
 * What a resource declares to offer the two gas sponsoring extensions. Kept apart from the code that checks payments,
 * because sellers need only the declarations.
 */
import type { Extensions } from "@/lib/x402/types";

export const gasSponsoringKey = "eip2612GasSponsoring";
export const approvalSponsoringKey = "erc20ApprovalGasSponsoring";

/** Creates the declaration that tells clients that they may send `info` with these fields. */
function toDeclaration(key: string, description: string, fields: readonly string[]): Extensions {
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

export const gasSponsoringDeclaration = toDeclaration(
  gasSponsoringKey,
  "The facilitator submits an EIP-2612 permit for Permit2 along with the payment.",
  ["from", "asset", "spender", "amount", "nonce", "deadline", "signature", "version"],
);

export const approvalSponsoringDeclaration = toDeclaration(
  approvalSponsoringKey,
  "Before settling, the facilitator sends the payer's signed approval of Permit2 and pays its gas.",
  ["from", "asset", "spender", "amount", "signedTransaction", "version"],
);
