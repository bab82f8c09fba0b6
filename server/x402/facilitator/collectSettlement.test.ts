/**
 * Tests that a settlement's success is reported only once and to only one caller, no matter which instance the caller
 * uses and how often instances restart. Runs on a real EVM and a real ledger.
 */
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex, PaymentPayload } from "@/lib/x402/types";
import { payee } from "@/server/contracts/testing/tokenChain";
import { openStore } from "@/server/storage/open";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { forgetSettlements } from "@/server/x402/facilitator/ledgerRewind";
import { facilitatorAccount, requirement, startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

let testbed: Testbed;
let payer: PrivateKeyAccount;
let facilitator: Facilitator;

beforeAll(async () => {
  testbed = await startTestbed();
  payer = await testbed.createPayer(1_000_000_000n);
  facilitator = testbed.createFacilitator();
});
afterAll(() => testbed.close());

const usedReason = "invalid_exact_evm_nonce_already_used";
const toUsed = (transaction: string) => ({
  success: false,
  errorReason: usedReason,
  transaction: "",
  extra: { code: usedReason, transaction },
});
const toPending = (transaction: unknown) => ({ success: false, errorReason: "settlement_pending", transaction });
const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);

/** Runs `work` with automatic mining turned off. */
async function withoutMining(work: () => Promise<void>): Promise<void> {
  await testbed.client.setAutomine(false);
  try {
    await work();
  } finally {
    await testbed.client.setAutomine(true);
  }
}
const mine = () => testbed.client.mine({ blocks: 1 });

/**
 * Creates a settled payment that no caller knows about: its transaction was mined after every caller had given up.
 */
async function settleUnheard(): Promise<{ payment: PaymentPayload; transaction: string }> {
  const payment = await toPayment(payer);
  let transaction = "";
  await withoutMining(async () => {
    ({ transaction } = await testbed.createImpatientFacilitator().settle(payment, requirement));
    await mine();
  });
  await facilitator.recover();
  return { payment, transaction };
}

describe("the success of a settlement", () => {
  it("is reported to one of ten concurrent callers, and the others learn that the authorization was used", async () => {
    const payment = await toPayment(payer);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => facilitator.settle(payment, requirement)));
    const [first, ...others] = outcomes.filter(({ success }) => success);
    expect([first?.transaction, others]).toEqual([hash, []]);
    for (const outcome of outcomes.filter(({ success }) => !success)) {
      expect(outcome).toMatchObject(toUsed(first?.transaction ?? ""));
    }
  });

  it("is not reported again, even after a restart or with a payment identifier", async () => {
    const payment = {
      ...(await toPayment(payer)),
      extensions: { "payment-identifier": { info: { id: "a".repeat(16) } } },
    };
    const { transaction } = await facilitator.settle(payment, requirement);
    const before = await testbed.balanceOf(payee.address);
    for (const each of [facilitator, testbed.createFacilitator()]) {
      expect(await each.settle(payment, requirement)).toMatchObject(toUsed(transaction));
      expect(await each.settle(payment, requirement, { idempotencyKey: "late" })).toMatchObject(toUsed(transaction));
    }
    expect(await testbed.balanceOf(payee.address)).toBe(before);
  });

  it("is reported again to the caller that repeats its Idempotency-Key, and to no other", async () => {
    const payment = await toPayment(payer);
    const caller = { idempotencyKey: "shop-1" };
    const first = await facilitator.settle(payment, requirement, caller);
    expect(first.success).toBe(true);
    const restarted = testbed.createFacilitator();
    expect(await restarted.settle(payment, requirement, caller)).toEqual(first);
    for (const other of [{}, { idempotencyKey: "shop-2" }]) {
      expect(await restarted.settle(payment, requirement, other)).toMatchObject(toUsed(first.transaction));
    }
    const record = await testbed.store.findPayment(first.extra?.paymentId as Hex);
    expect(record?.collectedBy).not.toContain("shop-1");
  });

  it("is not used up by settlement_pending: the next call gets it, and the one after that doesn't", async () => {
    const impatient = testbed.createImpatientFacilitator();
    const payment = await toPayment(payer);
    await withoutMining(async () => {
      const [pending, other] = await Promise.all([1, 2].map(() => impatient.settle(payment, requirement)));
      expect([pending, other]).toMatchObject([toPending(hash), toPending(pending?.transaction)]);
      await mine();
      const { success, transaction } = await impatient.settle(payment, requirement);
      expect([success, transaction]).toEqual([true, pending?.transaction]);
      expect(await impatient.settle(payment, requirement)).toMatchObject(toUsed(transaction));
    });
  });

  it("goes to the next caller if the first one left before the payment was settled", async () => {
    const payment = await toPayment(payer);
    await withoutMining(async () => {
      const connection = new AbortController();
      const leaving = facilitator.settle(payment, requirement, { signal: connection.signal });
      await expect.poll(() => testbed.store.listPaymentsInState("settling")).toHaveLength(1);
      connection.abort();
      const { transaction } = await leaving;
      expect(await leaving).toMatchObject(toPending(hash));
      // The ledger records the transaction before it is sent, so this waits until the chain has received it.
      const find = () => testbed.client.getTransaction({ hash: transaction as Hex }).catch(() => undefined);
      await expect.poll(find).toBeDefined();
      const asking = facilitator.settle(payment, requirement);
      await mine();
      expect(await asking).toMatchObject({ success: true, transaction });
    });
  });

  it("is used up by a caller that leaves while the ledger records it", async () => {
    const connection = new AbortController();
    const store: Testbed["store"] = {
      ...testbed.store,
      changePayments(records, settlement) {
        if (records.some(({ collectedBy }) => collectedBy !== undefined)) connection.abort();
        return testbed.store.changePayments(records, settlement);
      },
    };
    const payment = await toPayment(payer);
    const leaving = testbed.createFacilitator({ store }).settle(payment, requirement, { signal: connection.signal });
    const { success, transaction } = await leaving;
    expect([success, connection.signal.aborted]).toEqual([true, true]);
    expect(await facilitator.settle(payment, requirement)).toMatchObject(toUsed(transaction));
  });

  it("goes to the next caller if no caller was waiting when the payment was settled", async () => {
    const { payment, transaction } = await settleUnheard();
    const outcomes = await Promise.all([1, 2, 3].map(() => facilitator.settle(payment, requirement)));
    expect(outcomes.map(({ success }) => success).sort()).toEqual([false, false, true]);
    expect(outcomes.find(({ success }) => success)).toMatchObject({ transaction });
  });

  it("is reported once by several instances on one Postgres", async () => {
    const database = await createTestDatabase();
    const open = () =>
      openStore({ kind: "postgres", url: database.url, schema: "ledger", connections: 4 }, { readonly: false });
    const stores = [await open(), await open()];
    const instances = stores.map((store, at) =>
      testbed.createFacilitator({ store, shared: { store, holder: `instance-${at}` }, accounts: [facilitatorAccount] }),
    );
    const payment = await toPayment(payer);
    const paid = await testbed.balanceOf(payee.address);
    const ask = () => Promise.all([...instances, ...instances].map((each) => each.settle(payment, requirement)));
    const outcomes = [...(await ask()), ...(await ask())];
    const [first, ...others] = outcomes.filter(({ success }) => success);
    expect([first?.transaction, others]).toEqual([hash, []]);
    for (const outcome of outcomes.filter(({ success }) => !success)) {
      expect(outcome).toMatchObject(toUsed(first?.transaction ?? ""));
    }
    expect((await testbed.balanceOf(payee.address)) - paid).toBe(10_000n);
    await Promise.all(stores.map((store) => store.close()));
    await database.remove();
  }, 120_000);
});

describe("a rewind of the chain", () => {
  const rewound = { success: false, errorReason: "chain_rewound", transaction: "" };
  const settled = { success: true, transaction: hash };

  it.each([
    ["before the ledger records a settlement, keeps it unsettled", { isWritten: false, isUndone: true }, rewound],
    ["after the ledger recorded a settlement, is reported to the caller", { isWritten: true, isUndone: true }, rewound],
    ["whose chain includes the settlement again, changes nothing", { isWritten: false, isUndone: false }, settled],
  ])("%s", async (_, { isWritten, isUndone }, expected) => {
    const payment = await toPayment(payer);
    const id = await testbed.client.snapshot();
    let isRewound = false;
    const store: Testbed["store"] = {
      ...testbed.store,
      async changePayments(records, settlement) {
        const { transaction, state } = records[0]!;
        const isNow = state === "settled" && !isRewound;
        const write = () => testbed.store.changePayments(records, settlement);
        if (!isNow || !transaction) return write();
        isRewound = true;
        if (isWritten) await write();
        if (isUndone) await testbed.client.revert({ id });
        await forgetSettlements(testbed.store, [transaction]);
        return isWritten || write();
      },
    };
    expect(await testbed.createFacilitator({ store }).settle(payment, requirement)).toMatchObject(expected);
    const [state, reason] = isUndone ? ["failed", "chain_rewound"] : ["settled", undefined];
    const paymentId = facilitator.findPaymentId(payment, requirement)!;
    expect(await testbed.store.findPayment(paymentId)).toMatchObject({ state, ...(reason && { reason }) });
    if (isUndone) expect(await testbed.createFacilitator().settle(payment, requirement)).toMatchObject(settled);
  });
});

describe("verify", () => {
  it("reports that a payment is settling or settled, with its transaction", async () => {
    const payment = await toPayment(payer);
    await withoutMining(async () => {
      const { transaction } = await testbed.createImpatientFacilitator().settle(payment, requirement);
      expect(await facilitator.verify(payment, requirement)).toMatchObject({
        isValid: false,
        invalidReason: "settlement_pending",
        extra: { transaction },
      });
      await mine();
      expect(await facilitator.settle(payment, requirement)).toMatchObject({ success: true, transaction });
      expect(await facilitator.verify(payment, requirement)).toMatchObject({
        isValid: false,
        invalidReason: usedReason,
        extra: { code: usedReason, transaction },
      });
    });
  });

  it("accepts a settled payment whose success was not reported yet, because it still pays for one request", async () => {
    const { payment, transaction } = await settleUnheard();
    const forged = { ...payment, payload: { ...payment.payload, signature: `0x${"11".repeat(65)}` } };
    expect(await facilitator.verify(forged, requirement)).toMatchObject({ invalidReason: usedReason });
    const verdict = { isValid: true, payer: payer.address, extra: { transaction } };
    expect(await facilitator.verify(payment, requirement)).toEqual(verdict);
    expect(await facilitator.settle(payment, requirement)).toMatchObject({ success: true, transaction });
    expect(await facilitator.verify(payment, requirement)).toMatchObject({ isValid: false, invalidReason: usedReason });
  });
});
