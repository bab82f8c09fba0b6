/** Rules that need on-chain facts about a payment: its contracts, its nonce and the payer's balance. */

import type { Reason } from "@/lib/x402/reason";
import type { OfferTerms } from "@/lib/x402/rules/paymentTerms";
import { findTokenDomain, offerRule, paymentRule, toAddress, toLeastPrice } from "@/lib/x402/rules/paymentTerms";
import { findWrappedSignature } from "@/lib/x402/signatureForm";
import type { TransferMethod } from "@/lib/x402/signedPayment";

export const walletRule = paymentRule({
  name: "wallet",
  reason: "invalid_exact_evm_payload_undeployed_smart_wallet",
  needs: ["payerHasCode"],
  applies: ({ signed }) => findWrappedSignature(signed.signature) !== undefined,
  holds: (_, { payerHasCode }) => payerHasCode,
  asked: ({ signed }) => ({ address: signed.from }),
  given: ({ signed }, { payerHasCode }) => (payerHasCode ? { address: signed.from } : "0x"),
});

const toCodeRule = (
  name: string,
  reason: Reason,
  fact: "assetHasCode" | "proxyHasCode",
  findAddress: (terms: OfferTerms) => string | undefined,
) =>
  offerRule({
    name,
    reason,
    needs: [fact],
    holds: (_, facts) => facts[fact] === true,
    asked: (terms) => toAddress(findAddress(terms)),
    given: (terms, facts) => (facts[fact] ? toAddress(findAddress(terms)) : "0x"),
  });

export const assetCodeRule = toCodeRule(
  "code",
  "asset_not_deployed_contract",
  "assetHasCode",
  ({ required }) => required.asset,
);

/** The proxy must have code, because a call to an address without code succeeds without moving tokens. */
export const proxyCodeRule = toCodeRule(
  "proxy",
  "permit2_proxy_not_deployed",
  "proxyHasCode",
  ({ contracts }) => contracts?.proxy,
);

export const eip3009Rule = paymentRule({
  name: "EIP-3009",
  reason: "invalid_exact_evm_eip3009_not_supported",
  needs: ["hasEip3009"],
  holds: (_, { hasEip3009 }) => hasEip3009,
  asked: () => "authorizationState()",
  given: (_, { hasEip3009 }) => (hasEip3009 ? "authorizationState()" : "0x"),
});

/** For each transfer method, the reason for rejecting an authorization that was already used on chain. */
export const usedReasons = {
  eip3009: "invalid_exact_evm_nonce_already_used",
  permit2: "permit2_invalid_nonce",
} as const satisfies Record<TransferMethod, Reason>;

export function isUsedReason(reason: string | undefined): boolean {
  return reason === usedReasons.eip3009 || reason === usedReasons.permit2;
}

export const toNonceRule = (method: TransferMethod) =>
  paymentRule({
    name: "nonce",
    reason: usedReasons[method],
    needs: ["nonceUsed"],
    holds: (_, { nonceUsed }) => !nonceUsed,
    asked: () => "unused",
    given: (_, { nonceUsed }) => (nonceUsed ? "used" : "unused"),
  });

const toTokenDomainRule = (name: "name" | "version", reason: Reason, fact: "tokenName" | "tokenVersion") =>
  paymentRule({
    name,
    reason,
    needs: [fact],
    holds: ({ required }, facts) => findTokenDomain(required)?.[name] === facts[fact],
    asked: (_, facts) => facts[fact] ?? "?",
    given: ({ required }) => findTokenDomain(required)?.[name] ?? "?",
  });

export const tokenNameRule = toTokenDomainRule("name", "invalid_exact_evm_token_name_mismatch", "tokenName");
export const tokenVersionRule = toTokenDomainRule(
  "version",
  "invalid_exact_evm_token_version_mismatch",
  "tokenVersion",
);

export const balanceRule = offerRule({
  name: "balance",
  reason: "insufficient_funds",
  needs: ["balanceUnits"],
  holds: ({ required }, { balanceUnits }) => balanceUnits >= BigInt(required.amount),
  asked: toLeastPrice,
  given: ({ required }, { balanceUnits }) => ({ units: balanceUnits.toString(), asset: required.asset }),
  toMessage: ({ required }, { balanceUnits }) =>
    `The payer's balance is ${balanceUnits} units; ${BigInt(required.amount)} are required.`,
});

export const allowanceRule = offerRule({
  name: "allowance",
  reason: "permit2_allowance_required",
  needs: ["allowanceUnits", "isSponsored"],
  holds: ({ required }, { allowanceUnits, isSponsored }) => isSponsored || allowanceUnits >= BigInt(required.amount),
  asked: toLeastPrice,
  given: ({ required }, { allowanceUnits, isSponsored }) =>
    isSponsored && allowanceUnits < BigInt(required.amount)
      ? "permit"
      : { units: allowanceUnits.toString(), asset: required.asset },
});
