/**
 * A refusal names its rule, both values where the exchange holds them, and the remedy.
 */
import { expect, it } from "vitest";
import type { PaymentPayload } from "@/lib/x402/types";
import { createFormatAmount } from "./flowEntries";
import { type RefusalFacts, toRefusal } from "./refusal";

const asset = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const payer = "0x1111111111111111111111111111111111111111";
const payee = "0x2222222222222222222222222222222222222222";
const other = "0x3333333333333333333333333333333333333333";
const formatAmount = createFormatAmount([{ address: asset, symbol: "USDC", decimals: 6 }]);
const authorization = { from: payer, to: other, value: "20000", validAfter: "2000000000", validBefore: "1600000000" };
const payload: PaymentPayload = {
  x402Version: 2,
  accepted: { scheme: "exact", network: "eip155:10143", amount: "10000", asset, payTo: payee, maxTimeoutSeconds: 60 },
  payload: { signature: "0x", authorization },
};
const facts: RefusalFacts = { payload, balanceUnits: 5_000n, signer: other, atMs: 1_700_000_000_000 };

it.each([
  ["insufficient_funds", "0.01 USDC", "0.005 USDC"],
  ["invalid_exact_evm_insufficient_balance", "0.01 USDC", "0.005 USDC"],
  ["invalid_exact_evm_signature", { address: payer }, { address: other }],
  ["invalid_exact_evm_recipient_mismatch", { address: payee }, { address: other }],
  ["invalid_exact_evm_payload_authorization_value_mismatch", "0.01 USDC", "0.02 USDC"],
  ["invalid_exact_evm_payload_authorization_valid_before", "later than 2023-11-14T22:13:20Z", "2020-09-13T12:26:40Z"],
  [
    "invalid_exact_evm_payload_authorization_valid_after",
    "not later than 2023-11-14T22:13:20Z",
    "2033-05-18T03:33:20Z",
  ],
])("compares for %s what was asked with what was given", (word, asked, given) => {
  const refusal = toRefusal(word, facts, formatAmount);
  expect(refusal.comparison).toEqual({ asked, given });
  expect(refusal.fix).toMatch(/\.$/);
});

it("reads the same values out of a Permit2 payment", () => {
  const permit2Authorization = {
    from: payer,
    permitted: { token: asset, amount: "30000" },
    deadline: "1600000000",
    witness: { to: other, validAfter: "0" },
  };
  const permit: RefusalFacts = { ...facts, payload: { ...payload, payload: { permit2Authorization } } };
  expect(toRefusal("permit2_amount_mismatch", permit, formatAmount).comparison?.given).toBe("0.03 USDC");
  expect(toRefusal("permit2_deadline_expired", permit, formatAmount).comparison?.given).toBe("2020-09-13T12:26:40Z");
});

it("says what the server said beyond the word, once", () => {
  const said = toRefusal("insufficient_funds: The payer holds 1 of 2 units.", facts, formatAmount);
  expect(said).toMatchObject({ reason: "insufficient_funds", said: "The payer holds 1 of 2 units." });
  const { cause } = said;
  expect(toRefusal(`insufficient_funds: ${cause}`, facts, formatAmount).said).toBeUndefined();
});

it("compares nothing where the values would mislead or are not known", () => {
  expect(toRefusal("insufficient_funds", { ...facts, balanceUnits: 10_000n }, formatAmount).comparison).toBeUndefined();
  expect(toRefusal("insufficient_funds", { atMs: 0 }, formatAmount).comparison).toBeUndefined();
  expect(
    toRefusal("invalid_exact_evm_signature", { ...facts, signer: payer }, formatAmount).comparison,
  ).toBeUndefined();
  expect(toRefusal("payment_already_used", facts, formatAmount).comparison).toBeUndefined();
});

it("passes an unknown reason on as it is", () => {
  const refusal = toRefusal("the moon is wrong", facts, formatAmount);
  expect(refusal.cause).toContain("the moon is wrong");
  expect(refusal.reason).toBeUndefined();
});

it("shows times that no calendar holds as their digits", () => {
  const far = { ...payload, payload: { authorization: { ...authorization, validAfter: "9".repeat(30) } } };
  const refusal = toRefusal(
    "invalid_exact_evm_payload_authorization_valid_after",
    { ...facts, payload: far },
    formatAmount,
  );
  expect(refusal.comparison?.given).toBe(String(Number("9".repeat(30))));
});
