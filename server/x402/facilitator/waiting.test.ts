/**
 * How settlements wait: for a receipt that is handed over rather than asked for again and again, and at the end not for a
 * network that stays silent. Counted on a real EVM, never timed.
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

/** Counts what is asked by method, on its way to the chain. */
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

  it("comes with the answer to what was sent: none is read, however long the block takes", async () => {
    const { request, counts } = createCounter();
    const facilitator = testbed.createFacilitator({ request, relay: { pollMs: 1 } });
    await testbed.client.setAutomine(false);
    try {
      const settling = facilitator.settle(await toPayment(payer), requirement);
      await expect.poll(() => counts.get("eth_sendRawTransactionSync")).toBe(1);
      // Two hundred looks would fit in here.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await testbed.client.mine({ blocks: 1 });
      expect(await settling).toMatchObject({ success: true });
    } finally {
      await testbed.client.setAutomine(true);
    }
    expect(reads.map((method) => counts.get(method) ?? 0)).toEqual([0, 0, 0]);
    expect(counts.get("eth_sendRawTransactionSync")).toBe(1);
  });

  it("serves all payments of a transaction at once", async () => {
    const { request, counts } = createCounter();
    const facilitator = testbed.createFacilitator({ request, maxBatch: 20, gatherMs: 100 });
    const payments = await Promise.all(Array.from({ length: 20 }, () => toPayment(payer)));
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.every(({ success }) => success)).toBe(true);
    expect(counts.get("eth_sendRawTransactionSync")).toBe(new Set(outcomes.map((each) => each.transaction)).size);
    expect(reads.map((method) => counts.get(method) ?? 0)).toEqual([0, 0, 0]);
  });
});

describe("the end of a facilitator", () => {
  /** From the first transaction on nothing is answered any more; it may have arrived or not. */
  const createSilence = (arrives: boolean) => {
    let isSilent = false;
    let noteSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      noteSent = resolve;
    });
    const request: Eip1193Request = async (args) => {
      if (args.method.startsWith("eth_sendRaw")) {
        isSilent = true;
        if (arrives) await testbed.request(args);
        noteSent();
      }
      return isSilent ? new Promise(() => undefined) : testbed.request(args);
    };
    return { request, sent };
  };

  it.each([true, false])(
    "does not wait for a silent network, and the next start settles (arrived: %s)",
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

  it("answers what is asked later without asking the network", async () => {
    const { request, counts } = createCounter();
    const facilitator = testbed.createFacilitator({ request });
    await facilitator.close();
    const verdict = await facilitator.verify(await toPayment(payer), requirement);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "unexpected_error" });
    expect([...counts]).toEqual([]);
  });
});
