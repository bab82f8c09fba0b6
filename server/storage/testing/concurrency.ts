/**
 * Tests that run on every kind of store: concurrent readers see a change as a whole or not at all, and a failed change
 * doesn't affect other changes.
 */
import { expect, it } from "vitest";
import type { PoolRecord, Store } from "@/server/ports/store";
import { StaleHeadError } from "@/server/storage/errors";
import {
  createTestChain,
  type TestCommit,
  toAccount,
  toAddress,
  toHash,
  toTransaction,
} from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

const owner = toAddress(0xa);
const slot = toHash(1);
const blocks = 20;

/** Creates a block in which every kind of row contains the block's number. */
function toCommit(chain: ReturnType<typeof createTestChain>, number: number): TestCommit {
  const log = { address: owner, topics: [toHash(number)], data: "0x" as const };
  return chain.next({
    transactions: [{ logs: [log] }],
    state: {
      accounts: [{ address: owner, account: toAccount(BigInt(number)) }],
      storage: [{ address: owner, slot, value: toHash(number + 1) }],
    },
    explorer: { addressTransactions: [{ address: owner, blockNumber: number, index: 0, direction: "in" }] },
  });
}

function toRecord(nonce: number): PoolRecord {
  const { hash, raw } = toTransaction(nonce, owner, owner);
  return { hash, sender: owner, nonce: BigInt(nonce), raw, status: "queued", seenAtMs: nonce, changedAtMs: nonce };
}

/**
 * Reads everything that the commit of the head block should have written. Returns it together with the expected values.
 */
async function readHead(store: Store): Promise<{ number: number; found: unknown; expected: unknown }> {
  // A commit writes the chain version first. The genesis block sets it to 1.
  const number = (await store.findVersions()).chain - 1;
  const { accounts, slots } = await store.readState({ accounts: [owner], slots: [{ address: owner, slot }] }, number);
  const found = {
    header: (await store.findHeader(number))?.number,
    transactions: (await store.findBlock(number))?.transactions.length,
    receipts: (await store.findReceipts(number))?.length,
    balance: accounts[0]?.balance,
    slot: slots[0],
    atOnce: store.stateReader?.findSlot(owner, slot, number),
    logs: (await store.listLogs({ fromBlock: number, toBlock: number, topics: [[toHash(number)]], limit: 9 })).length,
    listed: (await store.listAddressTransactions(owner, { limit: 1 }))[0]!.blockNumber >= number,
  };
  const word = toHash(number + 1);
  const expected = {
    ...{ header: number, transactions: 1, receipts: 1, balance: BigInt(number), slot: word, logs: 1, listed: true },
    atOnce: store.stateReader && word,
  };
  return { number, found, expected };
}

/** Reads the head repeatedly until the work is over. Returns the block numbers in the order in which they were read. */
async function readDuring(store: Store, work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void work.then(end, end);
  const seen: number[] = [];
  while (!isOver) {
    // Several reads run per turn of the event loop. Changes that don't wait for the disk can continue between them.
    for (let count = 0; count < 10; count++) {
      const { number, found, expected } = await readHead(store);
      expect(found).toEqual(expected);
      seen.push(number);
    }
    // If the reads are synchronous, disk operations can only finish in a new turn.
    await new Promise((next) => setImmediate(next));
  }
  return seen;
}

export function describeConcurrency(use: UseStore): void {
  it("shows concurrent readers only whole blocks, and never an older one than they saw before", async () => {
    const { store } = use();
    const chain = createTestChain();
    await store.commit(toCommit(chain, 0));
    const commitAll = async () => {
      for (let number = 1; number <= blocks; number++) await store.commit(toCommit(chain, number));
    };
    const work = commitAll();
    const seen = await Promise.all(Array.from({ length: 4 }, () => readDuring(store, work)));
    await work;
    for (const numbers of seen) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    // If all reads ran between blocks, the test would prove nothing.
    expect(Math.max(...seen.map((numbers) => numbers.length))).toBeGreaterThan(1);
    expect(await store.findHead()).toMatchObject({ number: blocks });
  });

  it("never shows a block that failed, and keeps other concurrent writes", async () => {
    const { store } = use();
    const chain = createTestChain();
    await store.commit(toCommit(chain, 0));
    const moved = { blockNumber: 1, index: 0, logIndex: 0, token: owner, from: owner, to: owner, amount: 1n };
    const good = toCommit(chain, 1);
    const broken = { ...good, explorer: { ...good.explorer, tokenTransfers: [moved, moved] } };
    const records = Array.from({ length: blocks }, (_, nonce) => toRecord(nonce));
    // This failed commit waits until the genesis is on disk, so that the commits below start in the same turn as the
    // reads.
    await expect(store.commit(broken)).rejects.toThrow();
    const work = Promise.all(
      records.map(async (record) => {
        const [failed] = await Promise.allSettled([store.commit(broken), store.putPool([record])]);
        expect(failed.status).toBe("rejected");
      }),
    );
    const seen = await Promise.all(Array.from({ length: 4 }, () => readDuring(store, work)));
    await work;
    expect(new Set(seen.flat())).toEqual(new Set([0]));
    expect(await store.listPool()).toEqual(records);
    expect(await store.findTransactionAt(1, 0)).toBeUndefined();
    await store.commit(good);
    expect((await readHead(store)).number).toBe(1);
  });

  it("accepts only one of many concurrent commits of the same block, while others write and read", async () => {
    const { store } = use();
    const chain = createTestChain();
    await store.commit(toCommit(chain, 0));
    for (let number = 1; number <= 5; number++) {
      const commit = toCommit(chain, number);
      const work = Promise.allSettled([
        ...Array.from({ length: 6 }, () => store.commit(commit)),
        store.putPool([toRecord(number)]),
      ]);
      await readDuring(store, work);
      const outcomes = await work;
      const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      expect(refused).toHaveLength(5);
      for (const reason of refused) expect(reason).toBeInstanceOf(StaleHeadError);
      expect((await store.listPool()).length).toBe(number);
    }
  });

  it("runs concurrent reservations, nonce allotments and rate-limited requests one after another", async () => {
    const { store } = use();
    const holds = Array.from({ length: 12 }, (_, index) =>
      store.holdUnits({ purse: "p", id: toHash(index), units: 1n, balanceUnits: 7n, lengthMs: 60_000 }),
    );
    const nonces = Array.from({ length: 12 }, () =>
      store.allotNonce({ account: owner, mined: 0, pending: 0, holder: "h", lengthMs: 60_000 }),
    );
    const requests = Array.from({ length: 12 }, () => store.takeRequest({ client: "c", perSecond: 1, burst: 5 }));
    expect((await Promise.all(holds)).filter(Boolean)).toHaveLength(7);
    expect((await Promise.all(nonces)).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at));
    expect((await Promise.all(requests)).filter((waitS) => waitS === 0).length).toBeGreaterThanOrEqual(5);
  });
}
