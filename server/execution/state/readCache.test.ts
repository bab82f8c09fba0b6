/**
 * Tests that the cache never changes a result, even if another instance changes the chain. For random histories, calls
 * return the same results with and without the cache, on SQLite and Postgres, and a repeated call doesn't query the
 * database.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { encodeFunctionData, pad, parseAbi, toHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callAt, createAccessListAt, estimateGasAt } from "@/server/chain/calls";
import type { Chain } from "@/server/chain/chain";
import { simulateAt } from "@/server/chain/simulate";
import { addresses, network, openTestChain, removeFolder } from "@/server/chain/testing/testChain";
import { traceCallAt } from "@/server/chain/traces";
import { untilComplete } from "@/server/ethereum/pending";
import type { Address, BlockRef, Hash } from "@/server/ethereum/types";
import { unlimited } from "@/server/evm/budget";
import { runJob } from "@/server/execution/runJob";
import { type CacheableStore, countKept, maxValues, openReads } from "@/server/execution/state/readCache";
import type { Executor, Job, JobResult, StateEdit } from "@/server/ports/executor";
import type { Store, StoreLocation } from "@/server/ports/store";
import { openStore } from "@/server/storage/open";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { createTestChain, toAccount } from "@/server/storage/testing/fixtures";

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function transfer(address to, uint256 amount) returns (bool)",
]);
const token = network.tokens[0]!.address.toLowerCase() as Address;
const elsewhere: Address = `0x${"5a".repeat(20)}`;
const word = (value: number | bigint): Hash => pad(toHex(value));
const balanceOf = (owner: Address) => encodeFunctionData({ abi, functionName: "balanceOf", args: [owner] });
const transfer = (to: Address, units: bigint) =>
  encodeFunctionData({ abi, functionName: "transfer", args: [to, units] });
/**
 * In each of these contracts, the code applies one opcode to the first word of the input and returns the result: PUSH0
 * CALLDATALOAD op PUSH0 MSTORE … RETURN.
 */
const readers = {
  slot: "0x5f35545f5260205ff3",
  balance: "0x5f35315f5260205ff3",
  hash: "0x5f35405f5260205ff3",
} as const;
const creator = "0x5f5f5ff05f5260205ff3";

type Reads = { asked: string[]; plain: Store; kept: CacheableStore; close(): Promise<void> };

/** Opens the chain's database twice for reading. Queries to one of the two are recorded. */
async function openReaders(location: StoreLocation): Promise<Reads> {
  const [plain, counted] = await Promise.all([1, 2].map(() => openStore(location, { readonly: true })));
  const asked: string[] = [];
  const record = <T extends object>(reads: T): T =>
    new Proxy(reads, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          asked.push(String(name));
          return (member as (...args: unknown[]) => unknown)(...args);
        };
      },
    });
  const { stateReader } = counted!;
  const kept = record({ ...counted!, ...(stateReader && { stateReader: record(stateReader) }) });
  const close = async () => {
    await plain!.close();
    await counted!.close();
  };
  return { asked, plain: plain!, kept, close };
}

/**
 * A chain that runs its calls in this thread, on the cached store, and compares the results with the results on the
 * uncached store.
 */
async function openCompared(options: Parameters<typeof openTestChain>[0] & { location: StoreLocation }) {
  let reads: Reads | undefined;
  const compared = { isQuiet: true };
  async function run<J extends Job>(job: J): Promise<JobResult<J>> {
    reads ??= await openReaders(options.location);
    const { kept, plain } = reads;
    const result = await runJob(job, async () => kept, unlimited);
    const { at: _, ...unkept } = job as Extract<Job, { at?: unknown }>;
    const expected = await runJob(unkept as J, async () => plain, unlimited);
    if (compared.isQuiet) expect(result).toEqual(expected);
    return result;
  }
  const wrap = (executor: Executor): Executor => ({
    ...executor,
    run: (job, runOptions) => ("at" in job ? run(job) : executor.run(job, runOptions)),
  });
  const test = await openTestChain({ ...options, wrap });
  return {
    ...test,
    compared,
    takeAsked: () => reads?.asked.splice(0) ?? [],
    async close() {
      await test.close();
      await reads?.close();
      removeFolder(test.folder);
    },
  };
}
type Compared = Awaited<ReturnType<typeof openCompared>>;

/** Runs calls that read the values that the histories below change. Each result is compared immediately. */
async function callAll(chain: Chain, block: BlockRef): Promise<void> {
  const owners = [addresses[0]!, addresses[1]!, elsewhere];
  for (const owner of owners) {
    await callAt(chain, { block, call: { from: addresses[3]!, to: token, input: balanceOf(owner) } });
    const call = { to: elsewhere, input: pad(owner) };
    await callAt(chain, { block, call, stateOverrides: { [elsewhere]: { code: readers.balance } } });
  }
  for (const slot of [0, 1]) {
    const call = { to: elsewhere, input: word(slot) };
    await callAt(chain, { block, call, stateOverrides: { [elsewhere]: { code: readers.slot } } });
  }
  const number = word(BigInt(Math.max(0, chain.head().number - 2)));
  const call = { to: elsewhere, input: number };
  await callAt(chain, { block, call, stateOverrides: { [elsewhere]: { code: readers.hash } } });
  await callAt(chain, { block, call: { to: elsewhere }, stateOverrides: { [elsewhere]: { code: creator } } });
  const pay = { from: addresses[0]!, to: token, input: transfer(elsewhere, 1n) };
  await estimateGasAt(chain, { block, call: pay });
  const { accessList } = await createAccessListAt(chain, { block, call: pay });
  const tracer = { tracer: "prestateTracer", diffMode: false, disableCode: false, disableStorage: false } as const;
  await traceCallAt(chain, { block, call: { ...pay, accessList }, tracer });
  await simulateAt(chain, { block, blocks: [{ calls: [pay] }], validation: false, traceTransfers: false });
}

const from = fc.integer({ min: 0, max: 1 });
const value = fc.bigInt({ min: 1n, max: 1_000n });
const step = fc.oneof(
  fc.record({ kind: fc.constant("pay" as const), from, value }),
  fc.record({ kind: fc.constant("send" as const), from, value }),
  fc.record({ kind: fc.constant("edit" as const), value, slot: from }),
  fc.record({ kind: fc.constant("snapshot" as const) }),
  fc.record({ kind: fc.constant("revert" as const) }),
  fc.record({ kind: fc.constant("reset" as const) }),
  fc.record({ kind: fc.constant("race" as const), value, slot: from }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const history = fc.array(step, { minLength: 5, maxLength: 10 });

/** The state changes that this kind of chain allows. */
type Hands = {
  edit(edits: StateEdit[]): Promise<void>;
  snapshot(): Promise<number>;
  revert(id: number): Promise<void>;
  reset(): Promise<void>;
};

const toEdits = (value: bigint, slot: number): StateEdit[] => [
  { address: elsewhere, balance: value, nonce: 1n, slots: [{ slot: word(slot), value: word(value) }] },
  { address: addresses[1]!, balance: 10n ** 21n + value },
];

async function take(test: Compared, hands: Hands, snapshots: number[], step: Step): Promise<void> {
  const { chain } = test;
  const mine = async (from: number, transaction: object) => {
    const account = await chain.store.findAccount(addresses[from]!, chain.head().number);
    await test.mine(await test.sign(from, { nonce: Number(account!.nonce), gas: 100_000n, ...transaction }));
  };
  switch (step.kind) {
    case "pay":
      return mine(step.from, { to: token, data: transfer(elsewhere, step.value) });
    case "send":
      return mine(step.from, { to: elsewhere, value: step.value });
    case "edit":
      return hands.edit(toEdits(step.value, step.slot));
    case "snapshot":
      snapshots.push(await hands.snapshot());
      return;
    case "revert": {
      const id = snapshots.pop();
      return id === undefined ? undefined : hands.revert(id);
    }
    case "reset":
      snapshots.length = 0;
      return hands.reset();
    case "race": {
      // If a value is read while the state changes, it belongs to no version and must not be cached.
      test.compared.isQuiet = false;
      await Promise.allSettled([
        callAll(chain, { tag: "latest" }),
        hands.edit(toEdits(step.value, step.slot)).then(() => hands.edit(toEdits(step.value + 1n, step.slot))),
        callAll(chain, { tag: "latest" }),
      ]);
      test.compared.isQuiet = true;
    }
  }
}

async function live(test: Compared, hands: Hands, steps: Step[], snapshots: number[]): Promise<void> {
  for (const step of steps) {
    await take(test, hands, snapshots, step);
    await callAll(test.chain, { tag: "latest" });
    await callAll(test.chain, { number: Math.max(0, test.chain.head().number - 1) });
  }
}

describe("the read cache on a dev chain in a file", () => {
  let test: Compared;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollscan-reads-"));
    const location: StoreLocation = { kind: "sqlite", file: join(folder, "chain.sqlite") };
    test = await openCompared({ folder, location, isDeveloped: true });
  });
  afterAll(() => test?.close());

  it("returns the file's values over any history of transactions, edits, reverts and resets", async () => {
    const developer = test.chain.devControls!;
    const hands: Hands = {
      edit: developer.edit,
      snapshot: developer.snapshot,
      revert: async (id) => void (await developer.revert(id)),
      reset: developer.reset,
    };
    const property = fc.asyncProperty(history, (steps) => live(test, hands, steps, []));
    await fc.assert(property, { numRuns: 6, endOnFailure: true });
  });
});

describe("the read cache on a Postgres shared by several instances", () => {
  let url: string;
  let remove: () => Promise<void>;
  let test: Compared;
  let other: Compared;
  beforeAll(async () => {
    ({ url, remove } = await createTestDatabase());
    // Each chain has its own connection pool, as in a separate process.
    const [location, another] = [4, 5].map(
      (connections): StoreLocation => ({ kind: "postgres", url, schema: "reads", connections }),
    );
    test = await openCompared({ location: location! });
    other = await openCompared({ location: another! });
  });
  afterAll(async () => {
    await test?.close();
    await other?.close();
    await remove?.();
  });

  const call = { from: addresses[0]!, to: token, input: balanceOf(addresses[1]!) };
  const holdings: [] = [];

  /** No interface allows these changes on a shared database, but another program could make them. */
  const hands: Hands = {
    async edit(edits) {
      const { store, executor, refresh, spec } = other.chain;
      await refresh({ isUrgent: true });
      const head = other.chain.head();
      const { number: block, stateRoot } = head;
      const env = other.chain.nextEnv();
      const edited = await executor.run({ kind: "editState", spec, env, block, stateRoot, edits });
      await store.editState({ head, ...edited });
      await test.chain.refresh({ isUrgent: true });
    },
    snapshot: async () => (await other.chain.store.addSnapshot(0)).id,
    async revert(id) {
      const snapshot = (await other.chain.store.findSnapshot(id))!;
      await other.chain.store.rewind({ ...snapshot, snapshots: id, holdings });
      await test.chain.refresh({ isUrgent: true });
    },
    async reset() {
      await other.chain.store.rewind({ block: 0, edit: 0, holdings });
      await test.chain.refresh({ isUrgent: true });
    },
  };

  it("doesn't query the database for a repeated call, and reads everything in one query after the next block", async () => {
    const job = () => callAt(test.chain, { call });
    await job();
    test.takeAsked();
    await job();
    expect(test.takeAsked()).toEqual([]);
    await test.mine(await test.sign(2, { nonce: 0, value: 1n }));
    await job();
    expect(test.takeAsked()).toEqual(["readState"]);
    await job();
    expect(test.takeAsked()).toEqual([]);
  });

  it("fetches an access list's entries in one round trip", async () => {
    const pay = { from: addresses[0]!, to: token, input: transfer(addresses[1]!, 1n) };
    const { accessList } = await createAccessListAt(test.chain, { call: pay });
    await test.mine(await test.sign(2, { nonce: 1, value: 1n }));
    test.takeAsked();
    await callAt(test.chain, { call: { ...pay, accessList } });
    expect(test.takeAsked()).toEqual(["readState"]);
  });

  it("shows another instance's edits, reverts and resets at once, even of a slot that it has cached", async () => {
    const { chain } = test;
    const read = async (slot: number) => {
      const call = { to: elsewhere, input: word(slot) };
      return (await callAt(chain, { call, stateOverrides: { [elsewhere]: { code: readers.slot } } })).output;
    };
    const answers: string[] = [];
    const look = async () => void answers.push(await read(7));
    await look();
    const id = await hands.snapshot();
    for (const value of [1n, 2n]) {
      await hands.edit(toEdits(value, 7));
      await look();
    }
    await hands.revert(id);
    await look();
    await hands.edit(toEdits(3n, 7));
    await look();
    await hands.reset();
    await look();
    expect(answers).toEqual([0, 1, 2, 0, 3, 0].map(word));
  });

  it("returns the database's values over any changes by another instance", async () => {
    const property = fc.asyncProperty(history, (steps) => live(test, hands, steps, []));
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });
});

describe.each(["sqlite", "postgres"] as const)("a cached state on %s", (kind) => {
  let location: StoreLocation;
  let remove: () => Promise<void>;
  let writer: Store;
  let reads: Reads;
  const genesis = createTestChain().next({
    state: {
      accounts: [{ address: elsewhere, account: toAccount(5n) }],
      storage: [{ address: elsewhere, slot: word(1), value: word(5) }],
    },
  });
  beforeEach(async () => {
    if (kind === "sqlite") {
      const folder = mkdtempSync(join(tmpdir(), "tollscan-reads-"));
      location = { kind, file: join(folder, "chain.sqlite") };
      remove = async () => removeFolder(folder);
    } else {
      const database = await createTestDatabase();
      location = { kind, url: database.url, schema: "reads", connections: 3 };
      remove = database.remove;
    }
    writer = await openStore(location, { readonly: false });
    await writer.commit(genesis);
    reads = await openReaders(location);
  });
  afterEach(async () => {
    await reads.close();
    await writer.close();
    await remove();
  });

  const { header } = genesis.block;
  const edit = async (value: bigint) =>
    writer.editState({
      head: header,
      stateRoot: word(value),
      state: {
        accounts: [{ address: elsewhere, account: toAccount(value) }],
        storage: [{ address: elsewhere, slot: word(1), value: word(value) }],
        codes: [],
        trieNodes: [],
      },
    });
  /** Reads the values in the same way as a job that was created at the given chain version. */
  const read = async (chainVersion: string) => {
    const store = openReads(reads.kept, 0, { chainVersion, hash: header.hash });
    return untilComplete(() => {
      const account = store.findAccount(elsewhere, 0);
      const slot = store.findSlot(elsewhere, word(1), 0);
      const hasSlots = [store.hasSlots(elsewhere, 0), store.hasSlots(token, 0)];
      const nothing = [store.findAccount(token, 0), store.findSlot(token, word(1), 0)];
      expect(nothing).toEqual([undefined, undefined]);
      return [account?.balance, slot && BigInt(slot), ...hasSlots, store.findBlockHash(0)];
    });
  };
  const valued = (value: bigint) => [value, value, true, false, header.hash];

  it("is read from the database once, including values that don't exist", async () => {
    const chainVersion = await writer.findChainVersion();
    // If a value was read without its chain version, it isn't cached before the version is confirmed. Runs don't wait
    // for that.
    for (let tries = 0; tries < 50; tries++) {
      reads.asked.length = 0;
      expect(await read(chainVersion)).toEqual(valued(5n));
      if (reads.asked.length === 0) break;
    }
    expect(reads.asked).toEqual([]);
  });

  it("is not cached if a new chain version began before it was read", async () => {
    const chainVersion = await writer.findChainVersion();
    for (const value of [6n, 7n, 8n]) {
      await edit(value);
      expect(await read(chainVersion)).toEqual(valued(value));
      expect(await read(chainVersion)).toEqual(valued(value));
    }
    const later = await writer.findChainVersion();
    expect(await read(later)).toEqual(valued(8n));
  });

  it("is separate for each chain version", async () => {
    const chainVersions = [];
    for (const value of [5n, 6n, 7n]) {
      if (value > 5n) await edit(value);
      const chainVersion = await writer.findChainVersion();
      chainVersions.push(chainVersion);
      expect([await read(chainVersion), await read(chainVersion)]).toEqual([valued(value), valued(value)]);
    }
    expect(new Set(chainVersions).size).toBe(3);
  });
});

describe("the read cache under heavy reads", () => {
  it("keeps the most recently read values and stays within its limit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollscan-reads-"));
    const location: StoreLocation = { kind: "sqlite", file: join(folder, "chain.sqlite") };
    await (await openStore(location, { readonly: false })).close();
    const store = await openStore(location, { readonly: true });
    const chainVersion = await store.findChainVersion();
    const count = Math.ceil(maxValues / 3);
    const readAt = (state: number, reads: ReturnType<typeof openReads>) => {
      for (let slot = 0; slot < count; slot++) reads.findSlot(token, word(slot), state);
    };
    for (let state = 0; state < 12; state++) {
      const at = { chainVersion, hash: word(state) };
      readAt(state, openReads(store, state, at));
      openReads(store, state, at);
      expect(countKept(store)).toBeLessThanOrEqual(maxValues + count + 100);
    }
    expect(countKept(store)).toBeGreaterThan(count);
    // If a single run reads more values than the limit, only that many are cached.
    const reads = openReads(store, 99, { chainVersion, hash: word(99) });
    for (let slot = 0; slot < 2 * maxValues; slot++) reads.findSlot(token, word(slot), 99);
    expect(countKept(store)).toBeLessThanOrEqual(2 * maxValues + 100);
    openReads(store, 100, { chainVersion, hash: word(100) });
    expect(countKept(store)).toBeLessThanOrEqual(maxValues + 100);
    await store.close();
    removeFolder(folder);
  });
});
