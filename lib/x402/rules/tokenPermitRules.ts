/**
 * Rules for a payment's EIP-2612 permit (eip2612GasSponsoring). They follow the order of the reference facilitator.
 */

import type { Reason } from "@/lib/x402/reason";
import { isSame, toAddress } from "@/lib/x402/rules/paymentTerms";
import { createRuleBuilder } from "@/lib/x402/rules/rule";
import { expiryMarginSeconds, isExpired, toSafeSeconds } from "@/lib/x402/rules/signedRules";
import type { Hex, SponsoredPermit } from "@/lib/x402/types";

export type TokenPermitTerms = {
  permit: Pick<SponsoredPermit, "from" | "asset" | "spender" | "deadline">;
  /** The values that the permit must have. */
  from: Hex;
  asset: Hex;
  spender: Hex;
};

const permitRule = createRuleBuilder<TokenPermitTerms, { nowSeconds?: number | undefined }>();

const toFieldRule = (name: "from" | "asset" | "spender", reason: Reason) =>
  permitRule({
    name,
    reason,
    needs: [],
    holds: (terms) => isSame(terms.permit[name], terms[name]),
    asked: (terms) => toAddress(terms[name]),
    given: (terms) => toAddress(terms.permit[name]),
  });

export const tokenPermitRules = [
  toFieldRule("from", "eip2612_from_mismatch"),
  toFieldRule("asset", "eip2612_asset_mismatch"),
  toFieldRule("spender", "eip2612_spender_not_permit2"),
  permitRule({
    name: "deadline",
    reason: "eip2612_deadline_expired",
    needs: ["nowSeconds"],
    holds: ({ permit }, { nowSeconds }) => !isExpired(BigInt(permit.deadline), nowSeconds),
    asked: (_, { nowSeconds = 0 }) => ({ time: nowSeconds + expiryMarginSeconds }),
    given: ({ permit }) => ({ time: toSafeSeconds(BigInt(permit.deadline)) }),
  }),
];
