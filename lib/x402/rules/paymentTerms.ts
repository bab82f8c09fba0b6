/**
 * The inputs of the payment rules. Terms come from the requirement and the payment; facts come from the chain and the
 * clock.
 */
import type { Permit2Contracts } from "@/lib/x402/permit2Contracts";
import { type CheckValue, createRuleBuilder, type Rule } from "@/lib/x402/rules/rule";
import type { SignedPayment } from "@/lib/x402/signedPayment";
import type { PaymentRequirements } from "@/lib/x402/types";

/** The terms that are known before the payment is signed. */
export type OfferTerms = {
  required: PaymentRequirements;
  /** For a transfer through Permit2, the contracts that the payer signs for. */
  contracts?: Permit2Contracts | undefined;
};

export type PaymentTerms = OfferTerms & {
  signed: SignedPayment;
  /** The scheme and network that the payer accepted. */
  accepted: Pick<PaymentRequirements, "scheme" | "network">;
  /** The facilitator's accounts. If the witness names a facilitator, it must be one of them. */
  facilitators: readonly string[];
  /** True at settlement, when the requirement's amount is the actual charge instead of the maximum. */
  isCharge?: boolean;
};

/** Each fact is undefined until it is read. */
export type PaymentFacts = {
  nowSeconds?: number | undefined;
  assetHasCode?: boolean | undefined;
  proxyHasCode?: boolean | undefined;
  payerHasCode?: boolean | undefined;
  /** The recovered signer, if any, and the signature's `s` if it is above n/2. */
  signature?: { signer?: string | undefined; highS?: string | undefined } | undefined;
  hasEip3009?: boolean | undefined;
  nonceUsed?: boolean | undefined;
  tokenName?: string | undefined;
  tokenVersion?: string | undefined;
  balanceUnits?: bigint | undefined;
  allowanceUnits?: bigint | undefined;
  /** Whether the payment includes an approval of Permit2. */
  isSponsored?: boolean | undefined;
};

export type PaymentRule = Rule<PaymentTerms, PaymentFacts>;

export const paymentRule = createRuleBuilder<PaymentTerms, PaymentFacts>();
export const offerRule = createRuleBuilder<OfferTerms, PaymentFacts>();

/** The token's EIP-712 name and version from `extra`; undefined if either is missing. */
export function findTokenDomain({ extra }: PaymentRequirements): { name: string; version: string } | undefined {
  const { name, version } = extra ?? {};
  return typeof name === "string" && typeof version === "string" && name && version ? { name, version } : undefined;
}

export function toPrice({ required: { amount, asset } }: OfferTerms): CheckValue {
  return { units: amount, asset };
}

/** At least the price. */
export function toLeastPrice({ required: { amount, asset } }: OfferTerms): CheckValue {
  return { units: amount, asset, bound: "least" };
}

export function toAddress(address: string | undefined): CheckValue {
  return address === undefined ? "?" : { address };
}

export function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
