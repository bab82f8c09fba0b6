/**
 * Tests the payment rules at the edges of the validity period, and that no rule reads a fact that it doesn't declare.
 */
import { expect, it } from "vitest";
import { paymentRules } from "@/lib/x402/rules/paymentRules";
import type { PaymentFacts, PaymentRule, PaymentTerms } from "@/lib/x402/rules/paymentTerms";
import { checkRules, findBrokenRule } from "@/lib/x402/rules/rule";
import type { SignedPayment } from "@/lib/x402/signedPayment";
import type { Hex } from "@/lib/x402/types";

const payer: Hex = `0x${"11".repeat(20)}`;
const payee: Hex = `0x${"22".repeat(20)}`;
const asset: Hex = `0x${"33".repeat(20)}`;
const proxy: Hex = `0x${"44".repeat(20)}`;
const facilitator: Hex = `0x${"55".repeat(20)}`;
const required = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset,
  payTo: payee,
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
};
const signed: SignedPayment = {
  method: "eip3009",
  signature: "0x",
  from: payer,
  to: payee,
  amountUnits: 10_000n,
  validAfter: 0n,
  validBefore: 400n,
  nonce: `0x${"66".repeat(32)}`,
  permit: { token: asset, spender: proxy, facilitator },
};
const terms: PaymentTerms = {
  required,
  accepted: required,
  signed,
  contracts: { permit2: asset, proxy },
  facilitators: [facilitator],
};
const facts = {
  nowSeconds: 100,
  assetHasCode: true,
  proxyHasCode: true,
  payerHasCode: true,
  signature: { signer: payer },
  hasEip3009: true,
  nonceUsed: false,
  tokenName: "USDC",
  tokenVersion: "2",
  balanceUnits: 10_000n,
  allowanceUnits: 10_000n,
  isSponsored: false,
} satisfies PaymentFacts;

const tables = Object.entries(paymentRules).map(([name, rules]): [string, PaymentRule[]] => [
  name,
  [...rules.accepted, ...rules.signed, ...rules.settled],
]);

it.each(tables)("lets a valid payment pass every rule of %s", (_, rules) => {
  expect(checkRules(rules, terms, facts).filter(({ outcome }) => outcome !== "pass")).toEqual([]);
  expect(checkRules(rules, terms, {}).some(({ outcome }) => outcome === "fail")).toBe(false);
  expect(findBrokenRule(rules, terms, {})).toBeUndefined();
});

it.each(tables)("reads only declared facts in every rule of %s", (_, rules) => {
  for (const rule of rules) {
    const seen = new Set<PropertyKey>();
    const watched = new Proxy(facts, {
      get(target, key) {
        seen.add(key);
        return Reflect.get(target, key);
      },
    });
    const broken = { ...terms, signed: { ...signed, from: asset, to: asset, amountUnits: 1n, validBefore: 0n } };
    for (const each of [terms, broken]) {
      rule.holds(each, watched);
      rule.given(each, watched);
      rule.asked(each, watched);
      rule.toMessage?.(each, watched);
    }
    expect([rule.name, [...seen].filter((fact) => !rule.needs.includes(fact as never))]).toEqual([rule.name, []]);
  }
});

const findReason = (changes: Partial<SignedPayment>) =>
  findBrokenRule(paymentRules["exact eip3009"].signed, { ...terms, signed: { ...signed, ...changes } }, facts)?.reason;

it("treats a payment as expired if it has less than six seconds left", () => {
  expect([105n, 106n, 400n].map((validBefore) => findReason({ validBefore }))).toEqual([
    "invalid_exact_evm_payload_authorization_valid_before",
    undefined,
    undefined,
  ]);
});

it("rejects a payment that is valid for longer than maxTimeoutSeconds, plus a minute for the signer's clock", () => {
  expect([460n, 461n, 2n ** 256n - 1n].map((validBefore) => findReason({ validBefore }))).toEqual([
    undefined,
    "authorization_too_long",
    "authorization_too_long",
  ]);
});

it("accepts a payment from the first second of its validity", () => {
  expect([99n, 100n, 101n].map((validAfter) => findReason({ validAfter }))).toEqual([
    undefined,
    undefined,
    "invalid_exact_evm_payload_authorization_valid_after",
  ]);
});

it("reports the first of two faults, and skips rules whose facts are unknown", () => {
  expect(findReason({ to: payer, amountUnits: 1n })).toBe("invalid_exact_evm_recipient_mismatch");
  const { settled } = paymentRules["exact permit2"];
  const poor = { ...facts, balanceUnits: 1n, allowanceUnits: 0n };
  expect(findBrokenRule(settled, terms, poor)?.reason).toBe("insufficient_funds");
  expect(findBrokenRule(settled, terms, { ...poor, balanceUnits: undefined })?.reason).toBe(
    "permit2_allowance_required",
  );
});
