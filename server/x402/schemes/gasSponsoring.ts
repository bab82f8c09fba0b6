/**
 * The eip2612GasSponsoring extension: if the payer's allowance for Permit2 is too low, the payment includes an EIP-2612
 * permit. The settlement submits the permit along with the payment, so even the first payment costs the payer no gas.
 */

import { tokenPermitRules } from "@/lib/x402/rules/tokenPermitRules";
import type { Hex, PaymentPayload } from "@/lib/x402/types";
import { parseSponsoredPermit } from "@/lib/x402/wire";
import { PaymentError } from "@/server/x402/reads/error";
import { findSplitSignature, type SplitSignature } from "@/server/x402/reads/signature";
import { assertRules } from "@/server/x402/schemes/assertRules";
import type { PaymentTerms } from "@/server/x402/schemes/scheme";
import { findSponsoringInfo } from "@/server/x402/schemes/sponsoring";
import { gasSponsoringKey } from "@/server/x402/schemes/sponsoringDeclarations";

const malformed = "invalid_eip2612_extension_format";

/** The permit in the form that the proxies accept. */
export type TokenPermit = SplitSignature & { value: bigint; deadline: bigint };

/**
 * Returns a payment's token permit, or undefined if the payment has none. Throws PaymentError if the permit does not
 * match the payment.
 */
export function findTokenPermit(
  payload: PaymentPayload,
  terms: PaymentTerms,
  permit2: Hex,
  nowSeconds: number,
): TokenPermit | undefined {
  const permit = findSponsoringInfo(payload, gasSponsoringKey, "signature", parseSponsoredPermit, malformed);
  if (!permit) return undefined;
  const named = { from: terms.payer, asset: terms.asset, spender: permit2 };
  assertRules(tokenPermitRules, { info: permit, ...named }, { nowSeconds });
  const { amount, deadline, signature } = permit;
  return { value: BigInt(amount), deadline: BigInt(deadline), ...getSplitSignature(signature) };
}

function getSplitSignature(signature: Hex): SplitSignature {
  const split = findSplitSignature(signature);
  if (!split) throw new PaymentError(malformed, "The token permit's signature is malformed.");
  return split;
}
