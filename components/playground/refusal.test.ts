/**
 * Tests how a rejected payment is explained: where it was rejected, the reason, the expected and actual values, the fix
 * and the headline.
 */
import { describe, expect, it } from "vitest";
import type { FlowStep } from "@/lib/payflow/flow";
import type { Payment } from "@/lib/query/wire";
import type { Check } from "@/lib/x402/rules/rule";
import type { PaymentRequirements, SettleResponse } from "@/lib/x402/types";
import { createFormatAmount } from "./flowValue";
import { toHeadline, toRefusal } from "./refusal";

const asset = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const payer = "0x1111111111111111111111111111111111111111";
const other = "0x3333333333333333333333333333333333333333";
const transaction = `0x${"ab".repeat(32)}`;
const formatAmount = createFormatAmount([{ address: asset, symbol: "USDC", decimals: 6 }]);
const requirement: PaymentRequirements = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset,
  payTo: other,
  maxTimeoutSeconds: 60,
  extra: { name: "USDC", version: "2" },
};

/**
 * The steps of a rejected exchange. The payment was signed for the given domain. `checks` are the results of the rules
 * that the client checked.
 */
function toSteps(domain: { name: string; chainId: number }, checks: Check[], more: FlowStep[] = []): FlowStep[] {
  return [
    { atMs: 1, kind: "choice", requirement, considered: [{ requirement, verdict: "chosen" }] },
    {
      atMs: 2,
      kind: "typedData",
      data: {
        domain: { version: "2", verifyingContract: asset, ...domain },
        types: {},
        primaryType: "TransferWithAuthorization",
        message: {},
      },
    },
    { atMs: 3, kind: "paidRequest", method: "GET", url: "/x", headers: {} },
    { atMs: 3, kind: "verify", checks },
    ...more,
  ];
}
const right = { name: "USDC", chainId: 10143 };
const fail = (rule: string, asked: Check["asked"], given: Check["given"]): Check => ({
  rule,
  outcome: "fail",
  asked,
  given,
});

it.each([
  [fail("insufficient_funds", { units: "10000", asset }, { units: "5000", asset }), "0.01 USDC", "0.005 USDC"],
  [fail("invalid_exact_evm_signature", { address: payer }, { address: other }), { address: payer }, { address: other }],
  [
    fail("invalid_exact_evm_payload_authorization_valid_before", { time: 1_700_000_000 }, { time: 1_600_000_000 }),
    "2023-11-14 22:13:20 UTC",
    "2020-09-13 12:26:40 UTC",
  ],
])("shows the expected and the actual value from our own check of the rules", (check, asked, given) => {
  const refusal = toRefusal(check.rule, toSteps(right, [check]), formatAmount);
  expect(refusal.comparison).toEqual({ asked, given });
  expect(refusal.where).toBe("verify");
  expect(refusal.fix).toMatch(/\.$/);
});

it.each([
  [{ name: "USD Coin", chainId: 10143 }, "domain name USDC", "domain name USD Coin", "name to USDC"],
  [{ name: "USDC", chainId: 143 }, "eip155:10143", "eip155:143", "chainId to 10143"],
])(
  "compares the domains if the signed domain differs from the token's, and says how to sign",
  (domain, asked, given, change) => {
    const check = fail("invalid_exact_evm_signature", { address: payer }, { address: other });
    const refusal = toRefusal(check.rule, toSteps(domain, [check]), formatAmount);
    expect(refusal.comparison).toEqual({ asked, given });
    expect(refusal.cause).toMatch(/^The signature is for another EIP-712 domain: its (name|chainId) is wrong\./);
    expect(refusal.fix).toBe(`Set the domain’s ${change}, as in the 402 response.`);
  },
);

it("shows the server's message unless it only repeats the cause", () => {
  const said = toRefusal("insufficient_funds: The payer holds 1 of 2 units.", [], formatAmount);
  expect(said).toMatchObject({ reason: "insufficient_funds", said: "The payer holds 1 of 2 units." });
  expect(toRefusal(`insufficient_funds: ${said.cause}`, [], formatAmount).said).toBeUndefined();
});

it("omits the server's message if the compared values say the same", () => {
  const check = fail("insufficient_funds", { units: "10000", asset }, { units: "0", asset });
  const refusal = toRefusal("insufficient_funds: The payer holds 0 units.", toSteps(right, [check]), formatAmount);
  expect(refusal.comparison).toBeDefined();
  expect(refusal.said).toBeUndefined();
});

it("identifies the party that rejected the payment", () => {
  const outcome: SettleResponse = { success: false, errorReason: "settlement_pending", transaction: "", network: "x" };
  const settlement: FlowStep = { atMs: 4, kind: "settlement", header: "", settlement: outcome };
  const asked = { atMs: 4, kind: "facilitatorAnswer", status: 200, body: {}, failed: true } as const;
  const find = (word: string, more: FlowStep[] = []) => toRefusal(word, toSteps(right, [], more), formatAmount).where;
  expect(find("permit2_allowance_required")).toBe("verify");
  expect(find("invalid_x402_version")).toBe("server");
  expect(find("payment_already_used")).toBe("server");
  expect(find("unexpected_error")).toBe("unknown");
  expect(find("settlement_pending", [settlement])).toBe("settle");
  expect(find("upto_amount_exceeds_permitted", [{ ...asked, path: "settle" }])).toBe("settle");
  expect(toRefusal("insufficient_funds", [], formatAmount).where).toBe("client");
});

const toLedger = (state: Payment["state"]): FlowStep => ({
  atMs: 5,
  kind: "ledger",
  payment: { state } as Partial<Payment> as Payment,
});
const toSettlement = (changes: Partial<SettleResponse>): FlowStep => ({
  atMs: 4,
  kind: "settlement",
  header: "",
  settlement: { success: true, transaction, network: "x", ...changes },
});
const pending = toSettlement({ success: false, errorReason: "settlement_pending", transaction: "" });

describe("a settlement whose response was lost", () => {
  it("is not reported as rejected once the ledger shows it as settled", () => {
    const steps = toSteps(right, [], [pending, toLedger("settled")]);
    expect(toHeadline("settlement_pending", steps)).toEqual({
      title: "Payment settled, but the client never got confirmation",
      isOpen: true,
    });
    expect(toRefusal("settlement_pending", steps, formatAmount).cause).toBe(
      "The payment settled, but the facilitator’s confirmation didn’t reach the resource server in time.",
    );
  });

  it("is not reported as rejected while the ledger shows no outcome", () => {
    const headline = toHeadline("settlement_pending", toSteps(right, [], [pending]));
    expect(headline).toEqual({ title: "Settlement not confirmed yet", isOpen: true });
  });

  it.each<[string, FlowStep[]]>([
    ["failed", [pending, toLedger("failed")]],
    ["was confirmed before the payment was sent again", [toSettlement({}), toLedger("settled")]],
  ])("is reported as rejected if the settlement %s", (_, more) => {
    const headline = toHeadline("insufficient_funds", toSteps(right, [], more));
    expect(headline).toEqual({ title: "Payment rejected", isOpen: false });
  });
});

it("blames the facilitator if the resource server's request to it fails", () => {
  const { cause, fix, said } = toRefusal(
    "unexpected_error: The facilitator returned HTTP 500 for /verify.",
    toSteps(right, []),
    formatAmount,
  );
  expect(cause).toBe("The facilitator failed, so the resource server couldn’t verify the payment.");
  expect(said).toBe("The facilitator returned HTTP 500 for /verify.");
  expect(fix).not.toContain("node");
});

it("explains how to fix a signature with a high s", () => {
  const check = fail("invalid_exact_evm_signature", "s ≤ n/2", `s = 0x${"f".repeat(64)}`);
  expect(toRefusal(check.rule, toSteps(right, [check]), formatAmount).fix).toContain("use s = n - s and flip v");
});

it("links the transaction that used a replayed nonce", () => {
  const settlement: SettleResponse = { success: true, transaction, network: "x" };
  const more: FlowStep[] = [{ atMs: 4, kind: "settlement", header: "", settlement }];
  const refusal = toRefusal("payment_already_used", toSteps(right, [], more), formatAmount);
  expect(refusal.comparison?.given).toEqual({ transaction });
});

it("omits the comparison if the values are unknown", () => {
  expect(toRefusal("insufficient_funds", toSteps(right, []), formatAmount).comparison).toBeUndefined();
  expect(toRefusal("payment_already_used", toSteps(right, []), formatAmount).comparison).toBeUndefined();
});

it("quotes an unknown reason", () => {
  const refusal = toRefusal("the moon is wrong", [], formatAmount);
  expect(refusal.cause).toContain("the moon is wrong");
  expect(refusal.reason).toBeUndefined();
});
