/**
 * Tests how settlements wait: the response to sending a transaction includes its receipt, so nothing is polled, and
 * shutdown does not wait for a silent network. The tests count requests on a real EVM and never measure time.
 */
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { requirement, startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

let testbed: Testbed;
let payer: PrivateKeyAccount;

beforeAll(async () => {
  testbed = await startTestbed();
  payer = await testbed.createPayer(1_000_000n);
});
afterAll(() => testbed.close());

/** Forwards requests to the chain and counts them by method. */
function createCounter(): { request: Eip1193Request; counts: Map<string, number> } {
  const counts = new Map<string, number>();
  return {
    counts,
    request(args) {
      counts.set(args.method, (counts.get(args.method) ?? 0) + 1);
      return testbed.request(args);
    },
  };
}

describe("a receipt", () => {
  const reads = ["eth_getTransactionReceipt", "eth_getTransactionByHash", "eth_blockNumber"];

  it("comes with the response to the send, so it is never polled, however long the block takes", async () => {
    const { request, counts } = createCounter();
    const facilitator = testbed.createFacilitator({ request, relay: { pollMs: 1 } });
    await testbed.client.setAutomine(false);
    try {
      const settling = facilitator.settle(await toPayment(payer), requirement);
      await expect.poll(() => counts.get("eth_sendRawTransactionSync")).toBe(1);
      // Polling would make two hundred reads during this time.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await testbed.client.mine({ blocks: 1 });
      expect(await settling).toMatchObject({ success: true });
    } finally {
      await testbed.client.setAutomine(true);
    }
    expect(reads.map((method) => counts.get(method) ?? 0)).toEqual([0, 0, 0]);
    expect(counts.get("eth_sendRawTransactionSync")).toBe(1);
  });

  it("settles all payments in its transaction", async () => {
    const { request, counts } = createCounter();
    const facilitator = testbed.createFacilitator({ request, maxBatch: 20, gatherMs: 100 });
    const payments = await Promise.all(Array.from({ length: 20 }, () => toPayment(payer)));
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.every(({ success }) => success)).toBe(true);
    expect(counts.get("eth_sendRawTransactionSync")).toBe(new Set(outcomes.map((each) => each.transaction)).size);
    expect(reads.map((method) => counts.get(method) ?? 0)).toEqual([0, 0, 0]);
  });
});

describe("a settlement slower than the requirement's maxTimeoutSeconds", () => {
  it("returns settlement_pending to the caller after that time, and continues in the background", async () => {
    // The facilitator's own wait is so long that only the requirement's maxTimeoutSeconds can end it.
    const facilitator = testbed.createFacilitator({ relay: { waitMs: 86_400_000, pollMs: 10 } });
    const hasty = { ...requirement, maxTimeoutSeconds: 1 };
    const validBefore = String(Math.floor(Date.now() / 1000) + 50);
    const payment = await toPayment(payer, hasty, { authorization: { validBefore } });
    await testbed.client.setAutomine(false);
    try {
      const pending = await facilitator.settle(payment, hasty);
      expect(pending).toMatchObject({ errorReason: "settlement_pending", transaction: expect.stringMatching(/^0x/) });
      await testbed.client.mine({ blocks: 1 });
      const { transaction } = pending;
      expect(await facilitator.settle(payment, hasty)).toMatchObject({ success: true, transaction });
    } finally {
      await testbed.client.setAutomine(true);
    }
  });
});

describe("a closing facilitator", () => {
  /**
   * Simulates a network that doesn't respond to anything from the first transaction on. `arrives` determines whether
   * that transaction still reaches the chain.
   */
  const createSilence = (arrives: boolean) => {
    let isSilent = false;
    let resolveSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      resolveSent = resolve;
    });
    const request: Eip1193Request = async (args) => {
      if (args.method.startsWith("eth_sendRaw")) {
        isSilent = true;
        if (arrives) await testbed.request(args);
        resolveSent();
      }
      return isSilent ? new Promise(() => undefined) : testbed.request(args);
    };
    return { request, sent };
  };

  it.each([true, false])(
    "does not wait for a silent network, and the next start settles the payment (arrived: %s)",
    async (arrives) => {
      const { request, sent } = createSilence(arrives);
      const facilitator = testbed.createFacilitator({
        request,
        closeMs: 20,
        relay: { waitMs: 86_400_000, pollMs: 10 },
      });
      const payment = await toPayment(payer);
      const settling = facilitator.settle(payment, requirement);
      await sent;
      await facilitator.close();
      const pending = await settling;
      expect(pending).toMatchObject({ success: false, errorReason: "settlement_pending" });

      const before = await testbed.balanceOf(payer.address);
      const next = testbed.createFacilitator();
      await next.recover();
      const { transaction } = pending;
      expect(await next.settle(payment, requirement)).toMatchObject({ success: true, transaction });
      expect(before - (await testbed.balanceOf(payer.address))).toBe(arrives ? 0n : 10_000n);
    },
  );

  it("responds to later requests without calling the network", async () => {
    const { request, counts } = createCounter();
    const facilitator = testbed.createFacilitator({ request });
    await facilitator.close();
    const verdict = await facilitator.verify(await toPayment(payer), requirement);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "unexpected_error" });
    expect([...counts]).toEqual([]);
  });
});
