/**
 * Tests simulations of settlements on a real EVM: they need few requests, never reject a payment because of another
 * one, and return enough gas even if a storage slot was emptied since the estimate.
 */
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payee, tokenCall } from "@/server/contracts/testing/tokenChain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { requirement, startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

let testbed: Testbed;
let payer: PrivateKeyAccount;
beforeAll(async () => {
  testbed = await startTestbed();
  payer = await testbed.createPayer(1_000_000_000n);
});
afterAll(() => testbed.close());

const isBalanceRead = (params: unknown) => JSON.stringify(params).includes("0x70a08231");

/** Starts a facilitator that counts how often it calls each method, except for balance reads. */
function start(answer: Eip1193Request = testbed.request) {
  const counts = new Map<string, number>();
  const request: Eip1193Request = (args) => {
    if (!isBalanceRead(args.params)) counts.set(args.method, (counts.get(args.method) ?? 0) + 1);
    return answer(args);
  };
  return { facilitator: testbed.createFacilitator({ request }), count: (method: string) => counts.get(method) ?? 0 };
}

describe("concurrent settlements", () => {
  it("are estimated once and simulated in a few calls", async () => {
    const { facilitator, count } = start();
    const payments = await Promise.all(Array.from({ length: 30 }, () => toPayment(payer)));
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
    expect(count("eth_estimateGas")).toBe(1);
    expect(count("eth_call")).toBeLessThan(5);
  });

  it("are rejected independently, each with its own reason", async () => {
    const { facilitator } = start();
    const [used, poor] = [await toPayment(payer), await testbed.createPayer(5n)];
    expect((await facilitator.settle(used, requirement)).success).toBe(true);
    const asked = await Promise.all([toPayment(payer), toPayment(poor), toPayment(payer)]);
    const again = { ...used, accepted: { ...used.accepted } };
    const { success, errorReason } = await start().facilitator.settle(asked[1], requirement);
    expect([success, errorReason]).toEqual([false, "insufficient_funds"]);
    const outcomes = await Promise.all([...asked, again].map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.map((outcome) => outcome.errorReason ?? outcome.success)).toEqual([
      true,
      "insufficient_funds",
      true,
      "invalid_exact_evm_nonce_already_used",
    ]);
  });

  it("are simulated one by one if the node rejects batched calls", async () => {
    const { facilitator, count } = start(async (args) => {
      if (args.method === "eth_call" && JSON.stringify(args.params).includes("0x82ad56cb")) throw new Error("too much");
      return testbed.request(args);
    });
    const payments = await Promise.all(Array.from({ length: 8 }, () => toPayment(payer)));
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
    expect(count("eth_estimateGas")).toBeGreaterThan(1);
  });
});

describe("a verified payment", () => {
  it("is not simulated again until there is a new head", async () => {
    const { facilitator, count } = start();
    await facilitator.settle(await toPayment(payer), requirement);
    const tries = () => count("eth_call") + count("eth_estimateGas");
    for (const [isNewHead, expected] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const payment = await toPayment(payer);
      const before = tries();
      expect((await facilitator.verify(payment, requirement)).isValid).toBe(true);
      if (isNewHead) await testbed.client.mine({ blocks: 1 });
      expect((await facilitator.settle(payment, requirement)).success).toBe(true);
      expect(tries() - before).toBe(expected);
    }
  });
});

describe("a reused gas estimate", () => {
  it("suffices even if the payee's balance has dropped to zero since then", async () => {
    const { facilitator, count } = start();
    await facilitator.settle(await toPayment(payer), requirement);
    await facilitator.settle(await toPayment(payer), requirement);
    const held = await testbed.balanceOf(payee.address);
    await testbed.client.setBalance({ address: payee.address, value: 10n ** 18n });
    await testbed.send(tokenCall("transfer", [payer.address, held], payee as never));
    expect(await testbed.balanceOf(payee.address)).toBe(0n);
    const estimates = count("eth_estimateGas");
    expect((await facilitator.settle(await toPayment(payer), requirement)).success).toBe(true);
    expect(count("eth_estimateGas")).toBe(estimates);
    expect(await testbed.balanceOf(payee.address)).toBe(10_000n);
  });
});
