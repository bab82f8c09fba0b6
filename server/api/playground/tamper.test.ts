/**
 * Sends deliberately faulty payments to the real facilitator. Each is rejected with its reason. The local check of the
 * rules, which runs first and never calls the facilitator, reports the same reason.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPayment } from "@/lib/payflow/checkPayment";
import { readPaymentFacts } from "@/lib/payflow/paymentFacts";
import { toPreflight } from "@/lib/payflow/preflight";
import {
  graceSeconds,
  signAhead,
  signAmount,
  signEdited,
  signExpired,
  signHighS,
  signOldProxy,
  signWrongChain,
  signWrongName,
  signWrongPayee,
} from "@/lib/payflow/tamper";
import { findSignedPayment, toSignedPayment } from "@/lib/x402/signedPayment";
import { signPayment } from "@/lib/x402/signPayment";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";
import { plainToken } from "@/server/contracts/testing/tokenChain";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import {
  permit2Requirement,
  requirement,
  startTestbed,
  type Testbed,
  uptoRequirement,
} from "@/server/x402/testing/testbed";

const url = "http://shop.example/x";
let testbed: Testbed;
let facilitator: Facilitator;
beforeAll(async () => {
  testbed = await startTestbed();
  facilitator = testbed.createFacilitator();
});
afterAll(() => testbed?.close());

const request = (args: { method: string; params: readonly unknown[] }) => testbed.request(args as never);

/** Signs a payment, checks it with our rules, and has the facilitator verify it. */
async function run(offered: PaymentRequirements, sign: typeof signPayment, units = 1_000_000n) {
  const payer = await testbed.createPayer(units, offered.asset as Hex);
  if (offered !== requirement) await testbed.approvePermit2(payer, offered.asset as Hex);
  const payload = await sign({
    signer: payer as never,
    requirement: offered,
    resource: { url },
    nowMs: Date.now(),
  });
  const nonce = findSignedPayment(payload.payload)?.nonce;
  const nowMs = Date.now();
  const facts = await readPaymentFacts(request, offered, { payer: payer.address, ...(nonce && { nonce }), nowMs });
  const checks = await checkPayment(payload, { offered, url, facts, nowSeconds: Math.floor(nowMs / 1000) });
  const verdict = await facilitator.verify(payload, offered);
  return { payload, checks, verdict, preflight: toPreflight(offered, facts, undefined) };
}

const findFailure = (checks: { outcome: string; rule: string }[]) =>
  checks.find(({ outcome }) => outcome === "fail")?.rule;
const other: Hex = `0x${"77".repeat(20)}`;

it.each([
  ["exact", requirement],
  ["exact by Permit2", permit2Requirement],
  ["upto", uptoRequirement],
] as const)("accepts an untampered payment: %s", async (_, offered) => {
  const { checks, verdict, preflight } = await run(offered, signPayment);
  expect(verdict).toMatchObject({ isValid: true });
  expect(checks.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
  // There is no server response to compare the local clock with, so the clock rule can't pass.
  expect(preflight.filter(({ outcome }) => outcome !== "pass").map(({ rule }) => rule)).toEqual(["clock"]);
});

it.each<[string, PaymentRequirements, typeof signPayment]>([
  ["invalid_exact_evm_signature", requirement, signWrongName],
  ["invalid_exact_evm_signature", requirement, signWrongChain("eip155:1")],
  ["invalid_exact_evm_signature", requirement, signHighS],
  ["invalid_exact_evm_recipient_mismatch", requirement, signWrongPayee(other)],
  ["invalid_exact_evm_payload_authorization_valid_before", requirement, signExpired(60)],
  ["invalid_exact_evm_payload_authorization_valid_after", requirement, signAhead(graceSeconds + 120)],
  ["invalid_exact_evm_payload_authorization_value_mismatch", requirement, signAmount(1n)],
  ["invalid_exact_evm_payload_authorization_value_mismatch", requirement, signAmount(-1n)],
  ["invalid_permit2_spender", uptoRequirement, signOldProxy],
  ["invalid_permit2_recipient_mismatch", permit2Requirement, signWrongPayee(other)],
  ["permit2_deadline_expired", uptoRequirement, signExpired(60)],
  ["permit2_amount_mismatch", permit2Requirement, signAmount(-1n)],
  ["invalid_permit2_signature", permit2Requirement, signHighS],
  ["invalid_exact_evm_signature", requirement, signEdited({ domainVersion: "7" })],
  ["invalid_exact_evm_signature", requirement, signEdited({ signature: `0x${"11".repeat(64)}1b` })],
  ["invalid_permit2_signature", uptoRequirement, signEdited({ chainId: 1 })],
])(
  "rejects a tampered payment as %s, both in the facilitator and in our own check of the rules",
  async (reason, offered, sign) => {
    const { checks, verdict } = await run(offered, sign);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: reason });
    expect(findFailure(checks)).toBe(reason);
    const failed = checks.find(({ outcome }) => outcome === "fail");
    expect(failed?.asked).not.toEqual(failed?.given);
  },
);

it.each([
  ["exact", requirement],
  ["exact by Permit2", permit2Requirement],
  ["upto", uptoRequirement],
] as const)("signs the same changes that it sends: %s", async (_, offered) => {
  const nonce: Hex = `0x${"5a".repeat(32)}`;
  const validBefore = String(Math.floor(Date.now() / 1000) + requirement.maxTimeoutSeconds - 1);
  const { verdict, payload } = await run(offered, signEdited({ nonce, validAfter: "7", validBefore }));
  expect(verdict).toEqual({ isValid: true, payer: expect.any(String) });
  expect(toSignedPayment(payload.payload)).toMatchObject({ nonce, validAfter: 7n, validBefore: BigInt(validBefore) });
});

it("detects an insufficient balance both before and after signing", async () => {
  const { checks, verdict, preflight } = await run(requirement, signPayment, 9_999n);
  expect(verdict.invalidReason).toBe("insufficient_funds");
  expect(findFailure(checks)).toBe("insufficient_funds");
  expect(findFailure(preflight)).toBe("balance");
});

it("detects a missing allowance and a wrong token domain", async () => {
  const payer = await testbed.createPayer(1_000_000n, plainToken);
  const bare = await readPaymentFacts(request, permit2Requirement, { payer: payer.address, nowMs: Date.now() });
  expect(findFailure(toPreflight(permit2Requirement, bare, undefined))).toBe("allowance");
  const misnamed = { ...requirement, extra: { name: "USD Coin", version: "2" } };
  const facts = await readPaymentFacts(request, misnamed, {
    payer: payer.address,
    serverDate: new Date(Date.now() - 60_000).toUTCString(),
    nowMs: Date.now(),
  });
  const failed = toPreflight(misnamed, facts, undefined).filter(({ outcome }) => outcome === "fail");
  expect(failed.map(({ rule }) => rule)).toEqual(["balance", "domain", "clock"]);
});

it("detects a used nonce", async () => {
  const { payload } = await run(requirement, signPayment);
  await facilitator.settle(payload, requirement);
  const { from: payer, nonce } = toSignedPayment(payload.payload);
  expect(await readPaymentFacts(request, requirement, { payer, nonce, nowMs: Date.now() })).toMatchObject({
    hasEip3009: true,
    nonceUsed: true,
  });
});
