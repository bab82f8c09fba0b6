/**
 * Tests many payments on a real EVM. Batched payments succeed or fail independently, each is sent from the right
 * account, several instances settle at once, and settlements recover after a crash.
 */
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { testAccounts } from "@/server/contracts/testing/anvilChain";
import { payee, plainToken, stranger, tokenCall } from "@/server/contracts/testing/tokenChain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import {
  facilitatorAccount,
  permit2Requirement,
  requirement,
  startTestbed,
  type Testbed,
  toPayment,
  toPermit2Payment,
  uptoRequirement,
} from "@/server/x402/testing/testbed";

let testbed: Testbed;
let payer: PrivateKeyAccount;
const secondAccount = testAccounts[6] as (typeof testAccounts)[0];

beforeAll(async () => {
  testbed = await startTestbed();
  payer = await testbed.createPayer(1_000_000_000n);
  await testbed.mint(payer.address, 1_000_000_000n, plainToken);
  await testbed.approvePermit2(payer);
  await testbed.approvePermit2(payer, plainToken);
});
afterAll(() => testbed.close());

type Asked = [payload: PaymentPayload, requirement: PaymentRequirements];
const isSend = (method: string) => method.startsWith("eth_sendRawTransaction");
const getRecord = async (id: unknown) => {
  const record = await testbed.store.findPayment(id as Hex);
  if (!record) throw new Error(`The ledger has no payment ${id}.`);
  return record;
};

/**
 * Settles the payments in one transaction, by holding back another payment's transaction until all of them are waiting.
 * `beforeSend` runs after the payments were checked and before their transaction is sent.
 */
async function settleTogether(asked: readonly Asked[], beforeSend: () => Promise<unknown> = async () => undefined) {
  const first = await toPayment(payer);
  let letFirstGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letFirstGo = resolve;
  });
  let firstIsSent: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => {
    firstIsSent = resolve;
  });
  let sends = 0;
  let settledFirst: Promise<unknown> = Promise.resolve();
  const request: Eip1193Request = async (args) => {
    if (!isSend(args.method)) return testbed.request(args);
    sends += 1;
    if (sends === 1) {
      firstIsSent();
      await held;
    } else if (sends === 2) {
      letFirstGo();
      await settledFirst;
      await beforeSend();
    }
    return testbed.request(args);
  };
  const facilitator = testbed.createFacilitator({ request, maxBatch: asked.length, gatherMs: 600_000 });
  settledFirst = facilitator.settle(first, requirement);
  await sent;
  return Promise.all(asked.map(([payload, wanted]) => facilitator.settle(payload, wanted)));
}

describe("concurrent settlements", () => {
  it("succeed for fifty payments of one payer, in fewer transactions and without a nonce gap", async () => {
    const facilitator = testbed.createFacilitator();
    const payments = await Promise.all(Array.from({ length: 50 }, () => toPayment(payer)));
    const before = await testbed.client.getTransactionCount({ address: facilitatorAccount.address });
    const paid = await testbed.balanceOf(payee.address);
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
    const transactions = new Set(outcomes.map(({ transaction }) => transaction)).size;
    expect(transactions).toBeLessThan(25);
    const [latest, pending] = await Promise.all([
      testbed.client.getTransactionCount({ address: facilitatorAccount.address }),
      testbed.client.getTransactionCount({ address: facilitatorAccount.address, blockTag: "pending" }),
    ]);
    expect([latest - before, pending - before]).toEqual([transactions, transactions]);
    expect((await testbed.balanceOf(payee.address)) - paid).toBe(50n * 10_000n);
  });

  it("use less gas per payment in a batch of twenty than alone", async () => {
    const alone = await testbed.createFacilitator().settle(await toPayment(payer), requirement);
    const single = await testbed.client.getTransactionReceipt({ hash: alone.transaction as Hex });
    const asked = await Promise.all(
      Array.from({ length: 20 }, async (): Promise<Asked> => [await toPayment(payer), requirement]),
    );
    const outcomes = await settleTogether(asked);
    expect(new Set(outcomes.map(({ transaction }) => transaction)).size).toBe(1);
    const receipt = await testbed.client.getTransactionReceipt({ hash: outcomes[0]?.transaction as Hex });
    expect(receipt.gasUsed / 20n).toBeLessThan((single.gasUsed * 7n) / 10n);

    const records = await Promise.all(outcomes.map(({ extra }) => getRecord(extra?.paymentId)));
    expect(new Set(records.map(({ batch }) => batch?.index)).size).toBe(20);
    expect(records.every(({ batch }) => batch?.size === 20)).toBe(true);
    // The recorded gas shares add up to the relayer's cost.
    expect(records.reduce((sum, { gasUsed }) => sum + (gasUsed ?? 0n), 0n)).toBe(receipt.gasUsed);
    expect(records.reduce((sum, { gasCostWei }) => sum + (gasCostWei ?? 0n), 0n)).toBe(
      receipt.gasUsed * receipt.effectiveGasPrice,
    );
    expect((await testbed.store.findPaymentByTransaction(receipt.transactionHash)).length).toBe(20);
    const alonely = await getRecord(alone.extra?.paymentId);
    expect(alonely).toMatchObject({ gasUsed: single.gasUsed, gasCostWei: single.gasUsed * single.effectiveGasPrice });
    expect(alonely.batch).toBeUndefined();
  });

  it("batch EIP-3009 and Permit2 payments in one transaction", async () => {
    const asked: Asked[] = [
      [await toPayment(payer), requirement],
      [await toPermit2Payment(payer, permit2Requirement), permit2Requirement],
    ];
    const paid = await testbed.balanceOf(payee.address, plainToken);
    const outcomes = await settleTogether(asked);
    expect(outcomes.map(({ success }) => success)).toEqual([true, true]);
    expect(new Set(outcomes.map(({ transaction }) => transaction)).size).toBe(1);
    expect((await testbed.balanceOf(payee.address, plainToken)) - paid).toBe(10_000n);
  });

  it("put identical Permit2 payments into separate transactions", async () => {
    const facilitator = testbed.createFacilitator();
    const payments = await Promise.all(Array.from({ length: 6 }, () => toPermit2Payment(payer, permit2Requirement)));
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, permit2Requirement)));
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
    expect(new Set(outcomes.map(({ transaction }) => transaction)).size).toBe(6);
  });

  it("send a smart wallet's payments in separate transactions", async () => {
    const owner = testAccounts[5] as (typeof testAccounts)[0];
    const wallet = await testbed.deploy("TestWallet", owner);
    await testbed.mint(wallet, 20_000n);
    const facilitator = testbed.createFacilitator();
    const payments = await Promise.all(
      Array.from({ length: 2 }, () => toPayment(owner as never, requirement, { authorization: { from: wallet } })),
    );
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect(outcomes.map(({ success }) => success)).toEqual([true, true]);
    const records = await Promise.all(outcomes.map(({ extra }) => getRecord(extra?.paymentId)));
    expect(records.map(({ batch }) => batch)).toEqual([undefined, undefined]);
  });
});

describe("a payment in a batch", () => {
  it("fails alone, with its reason and without calldata, while the others settle", async () => {
    const spender = await testbed.createPayer(10_000n);
    await testbed.client.setBalance({ address: spender.address, value: 10n ** 18n });
    const asked: Asked[] = [
      [await toPayment(payer), requirement],
      [await toPayment(spender), requirement],
      [await toPayment(payer), requirement],
    ];
    const outcomes = await settleTogether(asked, () =>
      testbed.send(tokenCall("transfer", [stranger.address, 1n], spender as never)),
    );
    expect(outcomes.map(({ success }) => success)).toEqual([true, false, true]);
    expect(outcomes[0]?.transaction).toBe(outcomes[2]?.transaction);
    expect(outcomes[1]).toMatchObject({ errorReason: "insufficient_funds", transaction: "" });
    expect(JSON.stringify(outcomes[1])).not.toMatch(/0x[0-9a-f]{65,}/);
    const failed = await getRecord(outcomes[1]?.extra?.paymentId);
    expect(failed).toMatchObject({ state: "failed", reason: "insufficient_funds" });
    // The failed payment still used its share of the transaction's gas.
    expect(failed.gasUsed).toBeGreaterThan(0n);
    expect(failed.steps.map(({ state }) => state)).toEqual(["received", "settling", "received", "failed"]);
  });

  it("settles through a third party's transaction that was included first", async () => {
    const payment = await toPayment(payer);
    const { signature, authorization } = payment.payload as { signature: Hex; authorization: Record<string, string> };
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, BigInt(value!), BigInt(validAfter!), BigInt(validBefore!), nonce, signature];
    const [carried, other] = await settleTogether(
      [
        [payment, requirement],
        [await toPayment(payer), requirement],
      ],
      () => testbed.send(tokenCall("transferWithAuthorization", args, stranger)),
    );
    expect([carried?.success, other?.success]).toEqual([true, true]);
    expect(carried?.transaction).not.toBe(other?.transaction);
    const receipt = await testbed.client.getTransactionReceipt({ hash: carried?.transaction as Hex });
    expect(receipt.from).toBe(stranger.address.toLowerCase());
  });
});

describe("a facilitator with several accounts", () => {
  it("settles upto from the account that the payer signed for, and spreads other payments", async () => {
    const facilitator = testbed.createFacilitator({ accounts: [facilitatorAccount, secondAccount] });
    const { kinds, signers } = facilitator.getSupported();
    const both = [facilitatorAccount.address.toLowerCase(), secondAccount.address.toLowerCase()];
    expect(signers["eip155:10143"]).toEqual(both);
    expect(kinds.find(({ scheme }) => scheme === "upto")?.extra).toEqual({
      facilitatorAddress: both[0],
      limits: expect.anything(),
    });

    const toSecond = {
      ...uptoRequirement,
      extra: { ...uptoRequirement.extra, facilitatorAddress: secondAccount.address },
    };
    const asked: Asked[] = await Promise.all(
      Array.from({ length: 6 }, async (_, at): Promise<Asked> => {
        const wanted = at % 2 === 0 ? uptoRequirement : toSecond;
        return [await toPermit2Payment(payer, wanted), { ...wanted, amount: "1234" }];
      }),
    );
    const outcomes = await Promise.all(asked.map(([payload, wanted]) => facilitator.settle(payload, wanted)));
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
    const senders = await Promise.all(
      outcomes.map(async ({ transaction }) => (await testbed.client.getTransaction({ hash: transaction as Hex })).from),
    );
    expect(senders).toEqual(both.concat(both, both));

    const payments = await Promise.all(Array.from({ length: 20 }, () => toPayment(payer)));
    const exact = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect(exact.filter(({ success }) => !success)).toEqual([]);
    const used = await Promise.all(
      [...new Set(exact.map(({ transaction }) => transaction))].map(
        async (hash) => (await testbed.client.getTransaction({ hash: hash as Hex })).from,
      ),
    );
    expect([...new Set(used)].sort()).toEqual([...both].sort());
  });
});

describe("several instances on one ledger", () => {
  it("settle a payment once and report its success once, whichever instances get the requests", async () => {
    const instances = Array.from({ length: 4 }, () => testbed.createFacilitator({ accounts: [facilitatorAccount] }));
    const payment = await toPayment(payer);
    const paid = await testbed.balanceOf(payee.address);
    const before = await testbed.client.getTransactionCount({ address: facilitatorAccount.address });
    const outcomes = await Promise.all(
      instances.flatMap((instance) => [instance.settle(payment, requirement), instance.settle(payment, requirement)]),
    );
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1);
    expect((await testbed.balanceOf(payee.address)) - paid).toBe(10_000n);
    expect((await testbed.client.getTransactionCount({ address: facilitatorAccount.address })) - before).toBe(1);
  });
});

describe("a batch interrupted by a crash", () => {
  it("is found on the chain after a restart, with all its payments", async () => {
    const crash: Eip1193Request = async (args) => {
      if (isSend(args.method)) await testbed.request(args);
      if (isSend(args.method) || args.method === "eth_getTransactionReceipt") throw new Error("socket hang up");
      return testbed.request(args);
    };
    const lost = testbed.createFacilitator({
      request: crash,
      onError: () => undefined,
      relay: { waitMs: 50, pollMs: 5 },
    });
    const payments = await Promise.all(Array.from({ length: 8 }, () => toPayment(payer)));
    const outcomes = await Promise.all(payments.map((payment) => lost.settle(payment, requirement)));
    expect(outcomes.filter(({ success }) => success)).toEqual([]);
    const settling = await testbed.store.listPaymentsInState("settling");
    expect(settling).toHaveLength(8);
    expect(settling.some(({ batch }) => batch !== undefined)).toBe(true);

    await testbed.createFacilitator().recover();
    for (const { id, transaction } of settling) {
      expect(await testbed.store.findPayment(id)).toMatchObject({ state: "settled", transaction });
    }
  });

  it("is sent again if it was never sent, and each payment is charged once", async () => {
    const crash: Eip1193Request = async (args) => {
      if (isSend(args.method) || args.method === "eth_getTransactionReceipt") throw new Error("socket hang up");
      return testbed.request(args);
    };
    const lost = testbed.createFacilitator({
      request: crash,
      onError: () => undefined,
      relay: { waitMs: 50, pollMs: 5 },
    });
    const payments = await Promise.all(Array.from({ length: 5 }, () => toPayment(payer)));
    const paid = await testbed.balanceOf(payee.address);
    await Promise.all(payments.map((payment) => lost.settle(payment, requirement)));
    expect(await testbed.balanceOf(payee.address)).toBe(paid);
    const restarted = testbed.createFacilitator();
    // Requests during the recovery get the same settlement.
    const [, ...asked] = await Promise.all([
      restarted.recover(),
      ...payments.map((payment) => restarted.settle(payment, requirement)),
    ]);
    expect(asked.filter(({ success }) => !success)).toEqual([]);
    expect((await testbed.balanceOf(payee.address)) - paid).toBe(50_000n);
    expect(await testbed.store.listPaymentsInState("settling")).toEqual([]);
  });
});
