/** Tests the pool on its own, with real signed transactions, a manual clock and an in-memory store. */
import fc from "fast-check";
import { hexToBytes, parseGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { createTxPool, type ManagedTxPool } from "@/server/chain/txpool/pool";
import type { PoolEvent, PoolLimits } from "@/server/chain/txpool/state";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { effectiveTip, maxCost } from "@/server/ethereum/fees";
import type { Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord, PoolStore } from "@/server/ports/store";

const accounts = [1, 2, 3, 4].map((n) => privateKeyToAccount(`0x${n.toString(16).padStart(64, "0")}`));
const rich = 10n ** 20n;
const room = { gasLimit: 150_000_000n, baseFeePerGas: parseGwei("1"), blobBaseFee: 1n, maxBlobGas: 0n };

type Wish = { account?: number; nonce: number; capGwei?: string; tipGwei?: string; gas?: bigint; value?: bigint };

async function sign({ account = 0, nonce, capGwei = "10", tipGwei = "1", gas = 21_000n, value = 1n }: Wish) {
  const serialized = await accounts[account]!.signTransaction({
    type: "eip1559",
    chainId: 10143,
    nonce,
    to: accounts[0]!.address,
    value,
    gas,
    maxFeePerGas: parseGwei(capGwei),
    maxPriorityFeePerGas: parseGwei(tipGwei),
  });
  return decodeTransaction(hexToBytes(serialized));
}

function keepingStore(): PoolStore & { records: Map<Hash, PoolRecord>; writes: number } {
  const records = new Map<Hash, PoolRecord>();
  const store = {
    records,
    writes: 0,
    listPool: async () => [...records.values()],
    listPoolSince: async () => ({ version: 0, records: [...records.values()] }),
    async putPool(put: PoolRecord[]) {
      store.writes++;
      for (const record of put) records.set(record.hash, record);
    },
    async deletePool(hashes: Hash[]) {
      for (const hash of hashes) records.delete(hash);
    },
  };
  return store;
}

function setup(limits: Partial<PoolLimits> = {}) {
  const store = keepingStore();
  const clock = { ms: 1_000_000 };
  const pool = createTxPool({ store, limits, write: (task) => task(), now: () => clock.ms });
  const events: PoolEvent[] = [];
  pool.onChange((event) => events.push(event));
  const add = (transaction: Transaction, nonce = 0n, balance = rich) =>
    pool.add(transaction, transaction.raw, { nonce, balance, isContract: false });
  return { pool, store, clock, events, add };
}

const statusOf = (pool: ManagedTxPool, transaction: Transaction) => pool.findStatus(transaction.hash)?.status;

describe("nonces", () => {
  it("queues transactions behind a missing nonce, reports it, and releases them once it arrives", async () => {
    const { pool, add } = setup();
    const [zero, one, two] = await Promise.all([0, 1, 2].map((nonce) => sign({ nonce })));
    add(two!);
    add(one!);
    expect(pool.findStatus(two!.hash)).toMatchObject({ status: "queued", missingNonce: 0n });
    expect(pool.nextNonce(two!.from)).toBeUndefined();
    expect(pool.select(room, 10)).toEqual([]);
    add(zero!);
    expect([zero, one, two].map((tx) => statusOf(pool, tx!))).toEqual(["pending", "pending", "pending"]);
    expect(pool.nextNonce(two!.from)).toBe(3n);
    expect(pool.select(room, 10).map((tx) => tx.nonce)).toEqual([0n, 1n, 2n]);
    expect(pool.counts()).toEqual({ pending: 3, queued: 0 });
  });

  it("rejects a used nonce, a known transaction and a contract sender", async () => {
    const { pool, add } = setup();
    const transaction = await sign({ nonce: 3 });
    expect(() => add(transaction, 4n)).toThrow(/^nonce too low/);
    expect(() => pool.add(transaction, transaction.raw, { nonce: 3n, balance: rich, isContract: true })).toThrow(
      /^sender not an eoa/,
    );
    add(transaction, 3n);
    expect(() => add(transaction, 3n)).toThrow(/^already known/);
  });

  it("drops a transaction if another one with its nonce was mined", async () => {
    const { pool, add } = setup();
    const [zero, one] = await Promise.all([sign({ nonce: 0 }), sign({ nonce: 1 })]);
    add(zero);
    add(one);
    const settlement = {
      mined: [],
      rejected: [],
      accounts: [{ address: zero.from, account: { nonce: 1n, balance: rich } }],
    };
    pool.settle(settlement, pool.toSettledRecords(settlement));
    expect(pool.findStatus(zero.hash)).toMatchObject({
      status: "dropped",
      reason: expect.stringMatching(/^nonce too low/),
    });
    expect(statusOf(pool, one)).toBe("pending");
  });
});

describe("a sender's balance", () => {
  it("must cover the maximum cost of all its pending transactions", async () => {
    const { add } = setup();
    const [zero, one] = await Promise.all([sign({ nonce: 0 }), sign({ nonce: 1 })]);
    const enoughForOne = maxCost(zero);
    add(zero, 0n, enoughForOne);
    expect(() => add(one, 0n, enoughForOne * 2n - 1n)).toThrow(/^insufficient funds for gas \* price \+ value/);
    add(one, 0n, enoughForOne * 2n);
  });

  it("causes transactions to be dropped if a block leaves too little", async () => {
    const { pool, add } = setup();
    const transaction = await sign({ nonce: 0 });
    add(transaction);
    const settlement = { mined: [], rejected: [], accounts: [{ address: transaction.from, account: undefined }] };
    pool.settle(settlement, []);
    expect(pool.findStatus(transaction.hash)).toMatchObject({
      status: "dropped",
      reason: expect.stringMatching(/^insufficient funds/),
    });
    expect(pool.counts()).toEqual({ pending: 0, queued: 0 });
  });
});

describe("replacement", () => {
  it("requires ten percent more for both fees, and reports which transaction was replaced", async () => {
    const { pool, add, events } = setup();
    const old = await sign({ nonce: 0, capGwei: "10", tipGwei: "1" });
    add(old);
    for (const [capGwei, tipGwei] of [
      ["10.9", "1.1"],
      ["11", "1.09"],
      ["10", "1"],
    ] as const) {
      const cheap = await sign({ nonce: 0, capGwei, tipGwei, value: 2n });
      expect(() => add(cheap)).toThrow(/^replacement transaction underpriced/);
    }
    const better = await sign({ nonce: 0, capGwei: "11", tipGwei: "1.1", value: 2n });
    add(better);
    expect(statusOf(pool, better)).toBe("pending");
    expect(pool.findStatus(old.hash)).toMatchObject({ status: "replaced", reason: `replaced by ${better.hash}` });
    expect(events.at(-1)).toMatchObject({ added: [better], removed: [{ hash: old.hash, status: "replaced" }] });
    expect(pool.listStatuses(old.from).map((status) => status.status)).toEqual(["replaced", "pending"]);
  });

  it("still records the original as mined if its block was already being built", async () => {
    const { pool, add } = setup();
    const old = await sign({ nonce: 0 });
    const better = await sign({ nonce: 0, capGwei: "20", tipGwei: "2" });
    add(old);
    const settlement = {
      mined: [old],
      rejected: [],
      accounts: [{ address: old.from, account: { nonce: 1n, balance: rich } }],
    };
    const records = pool.toSettledRecords(settlement);
    add(better);
    pool.settle(settlement, records);
    expect(statusOf(pool, old)).toBe("mined");
    expect(statusOf(pool, better)).toBe("dropped");
  });
});

describe("the pool", () => {
  it("limits transactions per sender", async () => {
    const { add } = setup({ perSender: 2 });
    for (const nonce of [0, 1]) add(await sign({ nonce }));
    const third = await sign({ nonce: 2 });
    expect(() => add(third)).toThrow(/^account limit exceeded/);
    add(await sign({ account: 1, nonce: 0 }));
  });

  it("removes the cheapest queued transaction for a pending one, and rejects the pending one if none is queued", async () => {
    const { pool, add } = setup({ transactions: 2 });
    const dear = await sign({ account: 1, nonce: 5, capGwei: "9" });
    const cheap = await sign({ account: 2, nonce: 5, capGwei: "3" });
    add(dear);
    add(cheap);
    const cheaper = await sign({ account: 3, nonce: 5, capGwei: "2" });
    expect(() => add(cheaper)).toThrow(/^txpool is full/);
    add(await sign({ nonce: 0, capGwei: "1", tipGwei: "0" }));
    expect(statusOf(pool, cheap)).toBe("dropped");
    expect(statusOf(pool, dear)).toBe("queued");
    add(await sign({ nonce: 1 }));
    expect(statusOf(pool, dear)).toBe("dropped");
    const last = await sign({ nonce: 2 });
    expect(() => add(last)).toThrow(/^txpool is full/);
  });

  it("limits the total bytes in the pool", async () => {
    const { add } = setup({ bytes: 200 });
    add(await sign({ nonce: 0 }));
    const second = await sign({ nonce: 1 });
    expect(() => add(second)).toThrow(/^txpool is full/);
  });
});

describe("old and dropped transactions", () => {
  it("expire, and their status is removed from memory and store after a while", async () => {
    const { pool, store, clock, add } = setup({ lifetimeMs: 60_000, keepMs: 15_000 });
    const transaction = await sign({ nonce: 0 });
    add(transaction);
    await pool.flush();
    clock.ms += 59_999;
    pool.sweep();
    expect(statusOf(pool, transaction)).toBe("pending");
    clock.ms += 1;
    pool.sweep();
    await pool.flush();
    expect(store.records.get(transaction.hash)).toMatchObject({
      status: "expired",
      reason: "not included within 1 minutes",
    });
    clock.ms += 15_000;
    pool.sweep();
    await pool.flush();
    expect(pool.findStatus(transaction.hash)).toBeUndefined();
    expect(store.records.size).toBe(0);
  });

  it("have their status remembered only up to a limit", async () => {
    const { pool, add } = setup({ remembered: 2 });
    const sent = await Promise.all([0, 1, 2].map((nonce) => sign({ nonce })));
    for (const transaction of sent) add(transaction);
    pool.drop(sent.map(({ hash }) => ({ hash, reason: "gone" })));
    pool.sweep();
    expect(sent.map((transaction) => statusOf(pool, transaction))).toEqual([undefined, "dropped", "dropped"]);
  });

  it("can be accepted again", async () => {
    const { pool, add } = setup();
    const transaction = await sign({ nonce: 0 });
    add(transaction);
    pool.drop([{ hash: transaction.hash, reason: "gone" }]);
    add(transaction);
    expect(statusOf(pool, transaction)).toBe("pending");
    expect(pool.listStatuses(transaction.from)).toHaveLength(1);
  });
});

describe("the store", () => {
  it("receives all changes of one event loop turn in one write, and can restore the same pool", async () => {
    const { pool, store, add } = setup();
    const sent = await Promise.all([0, 1, 3].map((nonce) => sign({ nonce })));
    for (const transaction of sent) add(transaction);
    await Promise.all([pool.flush(), pool.flush()]);
    expect(store.writes).toBe(1);

    const again = createTxPool({ store, write: (task) => task() });
    for (const record of store.records.values()) {
      const account = { nonce: 0n, balance: rich, isContract: false };
      again.restore({ record, waiting: { transaction: decodeTransaction(record.raw), account } });
    }
    expect(sent.map((tx) => statusOf(again, tx))).toEqual(["pending", "pending", "queued"]);
    expect(again.findStatus(sent[0]!.hash)?.seenAtMs).toBe(1_000_000);
  });

  it("receives the changes of a failed write again", async () => {
    const { pool, store, add } = setup();
    const transaction = await sign({ nonce: 0 });
    const putPool = store.putPool;
    store.putPool = () => {
      throw new Error("disk full");
    };
    add(transaction);
    await expect(pool.flush()).rejects.toThrow("disk full");
    store.putPool = putPool;
    await pool.flush();
    expect(store.records.has(transaction.hash)).toBe(true);
  });
});

describe("the order of transactions", () => {
  it("puts the highest tips first, keeps each sender's nonces in order, and breaks ties by arrival", async () => {
    const { pool, add } = setup();
    const sent = [
      await sign({ account: 0, nonce: 0, tipGwei: "1" }),
      await sign({ account: 0, nonce: 1, tipGwei: "9" }),
      await sign({ account: 1, nonce: 0, tipGwei: "2" }),
      await sign({ account: 2, nonce: 0, tipGwei: "2" }),
      // The max fee leaves only 0.5 gwei above the base fee, so the priority fee doesn't matter.
      await sign({ account: 3, nonce: 0, capGwei: "1.5", tipGwei: "1.5" }),
    ];
    for (const transaction of sent) add(transaction);
    expect(pool.select(room, 10)).toEqual([sent[2], sent[3], sent[0], sent[1], sent[4]]);
  });

  it("lists all transactions by turn, and those that can't be mined yet last", async () => {
    const { pool, add } = setup();
    const second = await sign({ account: 0, nonce: 1, tipGwei: "3" });
    const first = await sign({ account: 0, nonce: 0, tipGwei: "1" });
    const waiting = await sign({ account: 1, nonce: 2, tipGwei: "9" });
    const cheap = await sign({ account: 1, nonce: 0, capGwei: "0.5", tipGwei: "0.5" });
    const best = await sign({ account: 2, nonce: 0, tipGwei: "2" });
    for (const transaction of [second, first, waiting, cheap, best]) add(transaction);
    const list = (limit: number) => pool.listByTurn(room, limit).map(({ transaction }) => transaction);
    expect(list(10)).toEqual([best, first, second, cheap, waiting]);
    expect(list(2)).toEqual([best, first]);
    expect(list(4)).toEqual([best, first, second, cheap]);
  });

  it("fills the block's gas limit, and skips senders whose next transaction does not fit", async () => {
    const { pool, add } = setup();
    const big = await sign({ account: 0, nonce: 0, tipGwei: "5", gas: 90_000n });
    const small = await sign({ account: 1, nonce: 0, gas: 21_000n });
    const middle = await sign({ account: 2, nonce: 0, tipGwei: "3", gas: 50_000n });
    for (const transaction of [big, small, middle]) add(transaction);
    expect(pool.select({ ...room, gasLimit: 120_000n }, 10)).toEqual([big, small]);
    expect(pool.select({ ...room, baseFeePerGas: parseGwei("11") }, 10)).toEqual([]);
  });

  it("is valid for a block, whatever transactions are pending", async () => {
    const wishes = fc.array(
      fc.record({
        account: fc.nat(3),
        nonce: fc.nat(5),
        tip: fc.integer({ min: 0, max: 9 }),
        cap: fc.integer({ min: 1, max: 12 }),
      }),
      { maxLength: 24 },
    );
    await fc.assert(
      fc.asyncProperty(wishes, async (list) => {
        const { pool, add } = setup();
        for (const { account, nonce, tip, cap } of list) {
          const transaction = await sign({ account, nonce, capGwei: `${cap}`, tipGwei: `${Math.min(tip, cap)}` });
          try {
            add(transaction);
          } catch {
            // The transaction is already known or underpriced, which doesn't matter here.
          }
        }
        const selected = pool.select(room, 100);
        const nextOf = new Map<string, bigint>();
        const arrived = new Map(pool.list().map(({ transaction }, index) => [transaction.hash, index]));
        for (const transaction of selected) {
          expect(transaction.nonce).toBe(nextOf.get(transaction.from) ?? 0n);
          nextOf.set(transaction.from, transaction.nonce + 1n);
        }
        // If two neighboring transactions have different senders, either could have come first, so the first one must
        // pay at least as much.
        selected.slice(1).forEach((second, index) => {
          const first = selected[index]!;
          if (first.from === second.from) return;
          const firstTip = effectiveTip(first, room.baseFeePerGas);
          const secondTip = effectiveTip(second, room.baseFeePerGas);
          expect(firstTip).toBeGreaterThanOrEqual(secondTip);
        });
        expect(arrived.size).toBe(pool.counts().pending + pool.counts().queued);
        for (const { record, transaction } of pool.list()) {
          const run = pool.listStatuses(transaction.from).filter((status) => status.status === "pending").length;
          expect(record.status).toBe(transaction.nonce < BigInt(run) ? "pending" : "queued");
        }
      }),
      { numRuns: 30 },
    );
  });
});
