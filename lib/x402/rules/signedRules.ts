/** Rules about the accepted requirement and the signed data. They need the clock, but not the chain. */

import type { Reason } from "@/lib/x402/reason";
import {
  findTokenDomain,
  isSame,
  type PaymentTerms,
  paymentRule,
  toAddress,
  toPrice,
} from "@/lib/x402/rules/paymentTerms";
import type { CheckValue } from "@/lib/x402/rules/rule";

/** A payment that expires within this time counts as expired, because settling takes a block. */
export const expiryMarginSeconds = 6;

/** How far a signer's clock may be ahead of the facilitator's. */
const clockToleranceSeconds = 60;

/** The abandoned proxy contract. Payments created with client library versions 2.9 to 2.11 were signed for it. */
export const abandonedProxy = "0x402039b3d6e6bec5a02c2c9fd937ac17a6940002";

export function isExpired(validBefore: bigint, nowSeconds: number): boolean {
  return validBefore < nowSeconds + expiryMarginSeconds;
}

export const toAcceptedRule = (name: "scheme" | "network", reason: Reason) =>
  paymentRule({
    name,
    reason,
    needs: [],
    holds: ({ accepted, required }) => accepted[name] === required[name],
    asked: ({ required }) => required[name],
    given: ({ accepted }) => accepted[name],
  });

/** A payment of zero would settle without a transaction and would not use up its nonce. */
export const positiveAmountRule = paymentRule({
  name: "price",
  reason: "invalid_payment_requirements",
  needs: [],
  holds: ({ required }) => BigInt(required.amount) > 0n,
  asked: ({ required: { asset } }) => ({ units: "1", asset, bound: "least" }),
  given: toPrice,
  toMessage: ({ required }) =>
    `paymentRequirements.amount: must be at least 1 with the exact scheme, not ${required.amount}.`,
});

export const tokenDomainRule = paymentRule({
  name: "domain",
  reason: "invalid_exact_evm_missing_eip712_domain",
  needs: [],
  holds: ({ required }) => findTokenDomain(required) !== undefined,
  asked: () => "name, version",
  given: ({ required: { extra } }) => ["name", "version"].filter((name) => extra?.[name]).join(", ") || "neither",
});

/** Tokens reject an s above n/2 (EIP-2), although ecrecover accepts it. */
export const toSignatureRule = (reason: Reason) =>
  paymentRule({
    name: "signature",
    reason,
    needs: ["signature"],
    holds: ({ signed }, { signature: { signer, highS } }) => highS === undefined && isSame(signer, signed.from),
    asked: ({ signed }, { signature }) => (signature?.highS === undefined ? { address: signed.from } : "s ≤ n/2"),
    given: (_, { signature: { signer, highS } }) => (highS === undefined ? toAddress(signer) : `s = ${highS}`),
  });

const toAddressRule = (
  name: string,
  reason: Reason,
  find: (terms: PaymentTerms) => { asked: string | undefined; given: string | undefined },
  toMessage?: (terms: PaymentTerms) => string,
) =>
  paymentRule({
    name,
    reason,
    needs: [],
    holds(terms) {
      const { asked, given } = find(terms);
      return isSame(asked, given);
    },
    asked: (terms) => toAddress(find(terms).asked),
    given: (terms) => toAddress(find(terms).given),
    ...(toMessage && { toMessage }),
  });

export const toRecipientRule = (reason: Reason) =>
  toAddressRule("recipient", reason, ({ required, signed }) => ({ asked: required.payTo, given: signed.to }));

export const spenderRule = toAddressRule(
  "spender",
  "invalid_permit2_spender",
  ({ contracts, signed }) => ({ asked: contracts?.proxy, given: signed.permit?.spender }),
  ({ contracts, signed }) =>
    isSame(signed.permit?.spender, abandonedProxy)
      ? "The permit's spender is the abandoned proxy of x402 client libraries 2.9 to 2.11. Use 2.12 or later."
      : `The permit's spender must be ${contracts?.proxy}.`,
);

export const permittedTokenRule = toAddressRule("token", "permit2_token_mismatch", ({ required, signed }) => ({
  asked: required.asset,
  given: signed.permit?.token,
}));

/** Only the facilitator in the witness may settle. Without this rule, any account could charge the maximum. */
export const facilitatorRule = toAddressRule(
  "facilitator",
  "upto_facilitator_mismatch",
  ({ facilitators, signed: { permit } }) => ({
    asked: facilitators.find((account) => isSame(account, permit?.facilitator)) ?? facilitators[0],
    given: permit?.facilitator,
  }),
);

export const toExpiryRule = (reason: Reason) =>
  paymentRule({
    name: "expiry",
    reason,
    needs: ["nowSeconds"],
    holds: ({ signed }, { nowSeconds }) => !isExpired(signed.validBefore, nowSeconds),
    asked: (_, { nowSeconds = 0 }) => ({ time: nowSeconds + expiryMarginSeconds, bound: "least" }),
    given: ({ signed }) => ({ time: toSafeSeconds(signed.validBefore) }),
  });

/**
 * An authorization must expire within the seller's `maxTimeoutSeconds`, plus a tolerance for clock differences. Its
 * start may be any time in the past.
 */
export const toLengthRule = (code: Reason) =>
  paymentRule({
    name: "length",
    reason: "authorization_too_long",
    code,
    needs: ["nowSeconds"],
    holds: (terms, { nowSeconds }) => terms.signed.validBefore <= toLatestEnd(terms, nowSeconds),
    asked: (terms, { nowSeconds = 0 }) => ({ time: toLatestEnd(terms, nowSeconds), bound: "most" }),
    given: ({ signed }) => ({ time: toSafeSeconds(signed.validBefore) }),
    toMessage: ({ signed, required }, { nowSeconds }) =>
      `The authorization is valid for ${signed.validBefore - BigInt(nowSeconds)} more seconds; the requirement's maxTimeoutSeconds is ${required.maxTimeoutSeconds}.`,
  });

function toLatestEnd({ required }: PaymentTerms, nowSeconds: number): number {
  return nowSeconds + required.maxTimeoutSeconds + clockToleranceSeconds;
}

export const toStartRule = (reason: Reason) =>
  paymentRule({
    name: "start",
    reason,
    needs: ["nowSeconds"],
    holds: ({ signed }, { nowSeconds }) => signed.validAfter <= nowSeconds,
    asked: (_, { nowSeconds = 0 }) => ({ time: nowSeconds, bound: "most" }),
    given: ({ signed }) => ({ time: toSafeSeconds(signed.validAfter) }),
  });

export const toAmountRule = (reason: Reason) =>
  paymentRule({
    name: "amount",
    reason,
    needs: [],
    applies: ({ isCharge }) => !isCharge,
    holds: ({ signed, required }) => signed.amountUnits === BigInt(required.amount),
    asked: toPrice,
    given: toSignedAmount,
    toMessage: ({ signed, required }) =>
      `The authorized value is ${signed.amountUnits}; the required amount is ${BigInt(required.amount)}.`,
  });

export const chargeRule = paymentRule({
  name: "charge",
  reason: "invalid_upto_evm_payload_settlement_exceeds_amount",
  needs: [],
  applies: ({ isCharge }) => isCharge === true,
  holds: ({ signed, required }) => BigInt(required.amount) <= signed.amountUnits,
  asked: ({ signed, required }) => ({ units: signed.amountUnits.toString(), asset: required.asset, bound: "most" }),
  given: toPrice,
});

function toSignedAmount({ signed, required }: PaymentTerms): CheckValue {
  return { units: signed.amountUnits.toString(), asset: required.asset };
}

/** Limits seconds to the largest safe integer, because anything later is effectively never. */
export function toSafeSeconds(seconds: bigint): number {
  return seconds > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(seconds);
}
