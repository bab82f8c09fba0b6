/**
 * Rules for a payment's EIP-2612 permit (eip2612GasSponsoring). They follow the order of the reference facilitator.
 */

import { createRuleBuilder } from "@/lib/x402/rules/rule";
import { expiryMarginSeconds, isExpired, toSafeSeconds } from "@/lib/x402/rules/signedRules";
import { type SponsoredTerms, toSponsoredRules } from "@/lib/x402/rules/sponsoredRules";
import type { SponsoredPermit } from "@/lib/x402/types";

export type TokenPermitTerms = SponsoredTerms & { info: Pick<SponsoredPermit, "deadline"> };

const permitRule = createRuleBuilder<TokenPermitTerms, { nowSeconds?: number | undefined }>();

export const tokenPermitRules = [
  ...toSponsoredRules({
    from: "eip2612_from_mismatch",
    asset: "eip2612_asset_mismatch",
    spender: "eip2612_spender_not_permit2",
  }),
  permitRule({
    name: "deadline",
    reason: "eip2612_deadline_expired",
    needs: ["nowSeconds"],
    holds: ({ info }, { nowSeconds }) => !isExpired(BigInt(info.deadline), nowSeconds),
    asked: (_, { nowSeconds = 0 }) => ({ time: nowSeconds + expiryMarginSeconds, bound: "least" }),
    given: ({ info }) => ({ time: toSafeSeconds(BigInt(info.deadline)) }),
  }),
];
