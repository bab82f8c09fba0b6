/**
 * Tests several instances of one chain on one Postgres database: any of them accepts a transaction, one of them mines
 * it, and all end on the same head. Blocks run on the real executor, whose workers open their own database connections.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buildLease } from "@/server/chain/producer/buildRight";
import { addresses, openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import { findErrorCode } from "@/server/ethereum/errors";
import type { Hash } from "@/server/ethereum/types";
import type { StoreLocation } from "@/server/ports/store";
import { createTestDatabase, cutConnections } from "@/server/storage/postgres/testing/cluster";

let url: string;
let remove: () => Promise<void>;
let location: StoreLocation;
const instances: TestChain[] = [];
let count = 0;

beforeAll(async () => {
  ({ url, remove } = await createTestDatabase());
});
afterAll(() => remove());
beforeEach(() => {
  location = { kind: "postgres", url, schema: `chain_${count++}`, connections: 5 };
});
afterEach(async () => {
  for (const instance of instances.splice(0)) {
    await instance.close();
    removeFolder(instance.folder);
  }
});

/** Opens an instance with its own connection pool, as in a separate process. */
async function open(options: Parameters<typeof openTestChain>[0] = {}): Promise<TestChain> {
  const connections = 5 + instances.length;
  const shared = { ...location, connections } as StoreLocation;
  const instance = await openTestChain({ location: shared, leaseMs: 1_000, ...options });
  instances.push(instance);
  return instance;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isTrue, { timeout: 120_000, interval: 25 });
}

/** Claims the lease for another builder. Waits, because an instance holds the lease for a moment after it opens. */
const claimLease = ({ chain }: TestChain, holder: string, lengthMs: number) =>
  vi.waitUntil(() => chain.store.claimLease({ name: buildLease, holder, lengthMs }), { timeout: 20_000, interval: 25 });

const settle = () =>
  until(async () => {
    await Promise.all(instances.map(({ chain }) => chain.refresh()));
    const stored = (await instances[0]!.chain.store.findHead())!;
    return instances.every(({ chain }) => chain.head().hash === stored.hash && chain.pool.counts().pending === 0);
  });

/** The hashes of all transactions in chain order. */
async function readChain({ chain }: TestChain): Promise<Hash[]> {
  const hashes: Hash[] = [];
  for (let number = 1; number <= chain.head().number; number++) {
    const block = (await chain.store.findBlock(number))!;
    expect(block.header.parentHash).toBe((await chain.store.findHeader(number - 1))!.hash);
    hashes.push(...block.transactions.map(({ hash }) => hash));
  }
  return hashes;
}

describe("instances of one chain", () => {
  it("accept transactions anywhere, mine each one once, and notify waiters on other instances", async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const sent: Hash[] = [];
    for (let nonce = 0; nonce < 12; nonce++) {
      const taker = [one, two, three][nonce % 3]!;
      const waiter = [one, two, three][(nonce + 1) % 3]!;
      const hash = await taker.chain.submit(await one.sign(0, { nonce, value: 5n }));
      sent.push(hash);
      if (nonce % 4 !== 3) continue;
      expect((await waiter.chain.waitForTransaction(hash, 120_000))?.transaction.hash).toBe(hash);
    }
    await settle();
    expect(await readChain(one)).toEqual(sent);
    const balances = instances.map(({ chain }) => chain.store.findAccount(addresses[9]!, chain.head().number));
    expect(new Set((await Promise.all(balances)).map((account) => account?.balance)).size).toBe(1);
    for (const { chain, errors } of instances) {
      expect(chain.pool.findStatus(sent[0]!)?.status).toBe("mined");
      expect(errors).toEqual([]);
    }
  });

  it("mine each transaction exactly once while many senders use all instances and connections break", async () => {
    const all = [await open(), await open(), await open()];
    const acknowledged: Hash[] = [];
    let submitted = 0;
    let isDone = false;
    const cutting = (async () => {
      while (!isDone) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await cutConnections(url);
        // Waits until a transaction succeeds. On a slow machine, cutting the connections again before that would use up
        // every retry.
        const before = submitted;
        await until(() => isDone || submitted > before);
      }
    })();
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (account) => {
        for (let nonce = 0; nonce < 15; nonce++) {
          const raw = await all[0]!.sign(account, { nonce, value: 1n });
          // After a failure, retries on another instance. The first one may have accepted the transaction anyway.
          for (let tries = 0; ; tries++) {
            try {
              acknowledged.push(await all[(account + nonce + tries) % 3]!.chain.submit(raw));
              break;
            } catch (error) {
              if (/already known|nonce too low/.test(String(error))) break;
              if (tries > 50) throw error;
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
          }
          submitted += 1;
        }
      }),
    );
    isDone = true;
    await cutting;
    await settle();
    const mined = await readChain(all[0]!);
    expect(mined).toHaveLength(90);
    expect(new Set(mined).size).toBe(90);
    expect(acknowledged.filter((hash) => !mined.includes(hash))).toEqual([]);
    const roots = await Promise.all(all.map(async ({ chain }) => chain.head().stateRoot));
    expect(new Set(roots).size).toBe(1);
  });

  it("mine a transaction that another instance cannot execute", async () => {
    const unable = await open({
      wrap: (executor) => ({
        ...executor,
        run: (job, options) =>
          job.kind === "executeBlock" ? Promise.reject(new Error("the worker died")) : executor.run(job, options),
      }),
    });
    const hash = await unable.chain.submit(await unable.sign(0, { nonce: 0 }));
    await until(() => unable.errors.length > 0);
    const able = await open();
    expect(await able.chain.waitForTransaction(hash, 120_000)).toMatchObject({ receipt: { status: 1 } });
    await settle();
    expect(unable.chain.pool.findStatus(hash)?.status).toBe("mined");
  });

  it("agree on one of two transactions that two instances accepted for the same nonce", async () => {
    const [one, two] = [await open(), await open()];
    // Holds the lease, so that no instance mines before both have accepted their transactions.
    const { store } = one.chain;
    const fence = await claimLease(one, "elsewhere", 60_000);
    // If one instance has already received the other's transaction, it rejects its own. In that case, tries another
    // account.
    let hashes: Hash[] = [];
    let account = 2;
    while (hashes.length < 2) {
      account++;
      const raws = await Promise.all([1n, 2n].map((value) => one.sign(account, { nonce: 0, value })));
      const taken = await Promise.allSettled([one, two].map(({ chain }, at) => chain.submit(raws[at]!)));
      for (const result of taken) {
        if (result.status === "rejected" && findErrorCode(result.reason) !== "replacement transaction underpriced") {
          throw result.reason;
        }
      }
      hashes = taken.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    }
    const fates = () => [one, two].map(({ chain }) => hashes.map((hash) => chain.pool.findStatus(hash)?.status).join());
    await until(() => new Set(fates()).size === 1 && fates()[0]!.includes("replaced"));
    await store.releaseLease({ name: buildLease, holder: "elsewhere", fence });
    await settle();
    // The chain contains one transaction per account.
    expect(await readChain(one)).toHaveLength(account - 2);
    expect(new Set(fates()).size).toBe(1);
    expect(fates()[0]!.split(",").sort()).toEqual(["mined", "replaced"]);
  });

  it("all reject a mined transaction, even if the pool table still lists it as pending", async () => {
    const [one, two] = [await open(), await open()];
    const raw = await one.sign(0, { nonce: 0, value: 1n });
    const { transaction } = await one.mine(raw);
    await settle();
    // Recreates the state of a database that was copied from a chain with edited state.
    const { store, executor, spec } = one.chain;
    const header = one.chain.head();
    const edits = [{ address: addresses[0]!, nonce: 0n }];
    const { number: block, stateRoot } = header;
    const edited = await executor.run({ kind: "editState", spec, env: one.chain.nextEnv(), block, stateRoot, edits });
    await store.editState({ head: header, state: edited.state, stateRoot: edited.stateRoot });
    await Promise.all(instances.map(({ chain }) => chain.refresh()));
    for (const { chain } of [one, two]) {
      await expect(chain.submit(raw)).rejects.toMatchObject({ code: "already known" });
    }
    const { hash, from: sender, nonce } = transaction;
    const at = Date.now();
    await store.deletePool([hash]);
    await store.putPool([{ hash, sender, nonce, raw, status: "pending", seenAtMs: at, changedAtMs: at }]);
    await Promise.all(instances.map(({ chain }) => chain.refresh()));
    expect(two.chain.pool.findStatus(hash)?.status).toBe("mined");
    const three = await open();
    expect(three.chain.pool.findStatus(hash)?.status).toBe("mined");
    for (const [account, instance] of [one, two, three].entries()) {
      const next = await instance.chain.submit(await one.sign(account, { nonce: 0, value: 2n }));
      expect(await instance.chain.waitForTransaction(next, 120_000)).toMatchObject({ receipt: { status: 1 } });
    }
    for (const { errors } of instances) expect(errors).toEqual([]);
  });

  it("wait for a dead block producer at most until its lease expires, then continue its chain", async () => {
    const one = await open();
    await one.mine(await one.sign(0, { nonce: 0 }));
    const { store } = one.chain;
    const dead = await claimLease(one, "dead", 2_000);
    const hash = await one.chain.submit(await one.sign(0, { nonce: 1 }));
    expect(await store.findTransaction(hash)).toBeUndefined();
    expect(await one.chain.waitForTransaction(hash, 120_000)).toMatchObject({ blockNumber: 2 });
    expect((await store.findLease(buildLease))!.fence).toBeGreaterThan(dead);
  });

  it("mine transactions that were pending when every instance stopped", async () => {
    const one = await open();
    await claimLease(one, "elsewhere", 2_000);
    const sent = [await one.sign(2, { nonce: 0 }), await one.sign(2, { nonce: 1 })];
    for (const raw of sent) await one.chain.submit(raw);
    await one.close();
    removeFolder(one.folder);
    instances.length = 0;
    const two = await open();
    await settle();
    expect(await readChain(two)).toHaveLength(2);
  });

  it("mine before they respond if they are serverless", async () => {
    const one = await open({ isServerless: true });
    for (let nonce = 0; nonce < 3; nonce++) {
      const hash = await one.chain.submit(await one.sign(1, { nonce }));
      expect(await one.chain.store.findTransaction(hash)).toMatchObject({ blockNumber: nonce + 1 });
      expect(await one.chain.store.findLease(buildLease)).toMatchObject({ remainingMs: 0 });
    }
    // A transaction that cannot be mined yet gets a response at once.
    const later = await one.chain.submit(await one.sign(1, { nonce: 9 }));
    expect(one.chain.pool.findStatus(later)?.status).toBe("queued");
  });
});
