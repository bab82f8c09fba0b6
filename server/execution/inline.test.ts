/**
 * Tests that jobs in the calling thread return the same results as in a worker, and never block the thread for long,
 * even under heavy load.
 */
import fc from "fast-check";
import { hexToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { toWord } from "@/server/ethereum/codec/bytes";
import { InvalidTransactionError } from "@/server/ethereum/errors";
import type { Address, Hex } from "@/server/ethereum/types";
import { unlimited } from "@/server/evm/budget";
import { compileAtOnce, usualLimits } from "@/server/evm/tier/tier";
import { listCompiled, setTier } from "@/server/execution/engine";
import { createInline, jobUnits, turnUnits } from "@/server/execution/inline";
import { runJob } from "@/server/execution/runJob";
import type { ExecutionStore } from "@/server/execution/state/overlay";
import type { CacheableStore } from "@/server/execution/state/readCache";
import { assemble, callTo, returnTop } from "@/server/execution/testing/assemble";
import { fuzzCase } from "@/server/execution/testing/fuzzCases";
import { stringifyCase } from "@/server/execution/testing/fuzzEvm";
import { toForkSpec } from "@/server/execution/testing/ownEvm";
import { createSandbox, type Sandbox } from "@/server/execution/testing/sandbox";
import type {
  Call,
  CallMessage,
  CreateAccessList,
  EditState,
  EstimateGas,
  ExecuteBlock,
  Job,
} from "@/server/ports/executor";

const contract: Address = `0x${"c0".repeat(20)}`;
const kinds = ["call", "estimateGas", "createAccessList"] as const;
type SmallJob = Call | EstimateGas | CreateAccessList;

/** Wraps the store so that it behaves like a synchronous database and counts its reads. */
function toDatabase({ reads, listSlots, findEditedRoot }: ExecutionStore): CacheableStore & { reads(): number } {
  let count = 0;
  const refuse = () => Promise.reject(new Error("A synchronous store must not be read through promises."));
  return {
    ...{ listSlots, findEditedRoot },
    ...{ findAccount: refuse, findSlot: refuse, findCode: refuse, findTrieNode: refuse, findHeader: refuse },
    ...{ findChainVersion: refuse, readState: refuse, findSlotBlock: refuse },
    stateReader: {
      ...reads,
      findAccount: (...query) => {
        count++;
        return reads.findAccount(...query);
      },
      findChainVersion: () => "0",
      isCached: false,
    },
    reads: () => count,
  };
}

/** Creates an inline executor. The test decides when a turn of the event loop ends. */
function setUp() {
  let next: (() => void)[] = [];
  const inline = createInline((work) => next.push(work));
  return {
    run: async <J extends Job>(job: J, store: CacheableStore) => inline.run(job, store),
    endTurn() {
      const works = next;
      next = [];
      for (const work of works) work();
    },
  };
}

const toJob = (sandbox: Sandbox, call: Partial<CallMessage>): Call => ({ kind: "call", ...sandbox.toJob(call) });
const outcome = (done: Promise<unknown>) => done.catch((error: unknown) => String(error));
/** Code that counts down to zero in a loop, then returns 7. */
const countDown = (from: number): Hex =>
  `${assemble(from)}5b600190038060${((assemble(from).length - 2) / 2).toString(16).padStart(2, "0")}57${assemble(7, ...returnTop).slice(2)}`;

test("jobs of every kind return the same result as in a worker, or are left to a worker", {
  timeout: 120_000,
}, async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fuzzCase, fc.constantFrom(...kinds), fc.boolean(), async (evmCase, kind, isFree) => {
      const { world, message, env, fork } = evmCase;
      const { store } = await createSandbox(world, toForkSpec(fork));
      const { from, value, input, to, accessList, gasLimit: gas, gasPrice = 0n } = message;
      const call: CallMessage = {
        ...{ from, value, input, gas, gasPrice: isFree ? 0n : gasPrice },
        ...(to && { to }),
        ...(accessList && { accessList }),
      };
      const job: SmallJob = { kind, spec: toForkSpec(fork), env, stateBlock: 0, call };
      const database = toDatabase(store);
      const here = await outcome(setUp().run(job, database));
      if (here === undefined) return;
      answered++;
      const there = await outcome(runJob(job, async () => database, unlimited));
      expect(here, `${kind} ${stringifyCase(evmCase)}`).toEqual(there);
    }),
    { numRuns: 300, seed: 11 },
  );
  expect(answered).toBeGreaterThan(200);
});

test("an invalid job is rejected as in a worker", async () => {
  const sandbox = await createSandbox({});
  const job = toJob(sandbox, { to: contract, value: 10n ** 30n });
  await expect(setUp().run(job, toDatabase(sandbox.store))).rejects.toThrow(InvalidTransactionError);
});

test("a job that exceeds its budget goes to a worker, as do similar jobs for a while, but no others", async () => {
  const code = countDown(500_000);
  const other: Address = `0x${"0d".repeat(20)}`;
  const sandbox = await createSandbox({
    [contract]: { balance: 0n, code },
    [other]: { balance: 0n, code: countDown(5) },
  });
  const store = toDatabase(sandbox.store);
  const inline = setUp();
  const run = async (to: Address, input: Hex) => {
    inline.endTurn();
    const before = store.reads();
    const done = await inline.run(toJob(sandbox, { to, input }), store);
    return { isDone: done !== undefined, isTried: store.reads() > before };
  };
  expect(await run(contract, "0x11223344")).toEqual({ isDone: false, isTried: true });
  expect(await run(contract, "0x1122334455")).toEqual({ isDone: false, isTried: false });
  // Calls to another function of the contract, or to another contract, may still be fast.
  expect(await run(contract, "0x11223345")).toEqual({ isDone: false, isTried: true });
  expect(await run(other, "0x11223344")).toEqual({ isDone: true, isTried: true });
  const tries: boolean[] = [];
  for (let at = 0; at < 100; at++) tries.push((await run(contract, "0x11223344")).isTried);
  expect(tries.filter(Boolean)).toHaveLength(1);
});

test.each([
  ["a pairing on bn254", 0x08, `0x${"00".repeat(192)}`],
  ["a multiplication on bn254", 0x07, `0x${toWord(1n).slice(2)}${toWord(2n).slice(2)}${"f7".repeat(32)}`],
  ["a pairing on BLS12-381", 0x0f, `0x${"00".repeat(384)}`],
  ["a multi-scalar multiplication on BLS12-381", 0x0c, `0x${"00".repeat(160)}`],
  ["a mapping to BLS12-381", 0x10, `0x${"00".repeat(64)}`],
  ["a point evaluation", 0x0a, `0x${"00".repeat(192)}`],
  ["a P256 signature", 0x100, `0x${"00".repeat(160)}`],
  ["a modular exponentiation of large numbers", 0x05, `0x${toWord(256n).slice(2).repeat(3)}${"f7".repeat(768)}`],
] as [string, number, Hex][])(
  "%s never runs inline, no matter whether it is called directly or by a contract",
  async (_, number, input) => {
    const to: Address = `0x${number.toString(16).padStart(40, "0")}`;
    const copied = assemble("CALLDATASIZE", 0, 0, "CALLDATACOPY");
    const called = assemble(0, 0, "CALLDATASIZE", 0, 0, number, "GAS", "CALL", ...returnTop);
    const code: Hex = `${copied}${called.slice(2)}`;
    const sandbox = await createSandbox({ [contract]: { balance: 0n, code } });
    for (const target of [to, contract]) {
      for (const kind of kinds) {
        const job: SmallJob = { ...toJob(sandbox, { to: target, input }), kind };
        expect(await setUp().run(job, toDatabase(sandbox.store)), `${kind} of ${target}`).toBeUndefined();
      }
    }
  },
);

test("jobs with large input and traced jobs go to a worker", async () => {
  const sandbox = await createSandbox({});
  const small = toJob(sandbox, { to: contract });
  const { call } = small;
  const storageKeys = Array.from({ length: 60 }, (_, at) => toWord(BigInt(at)));
  const jobs: Job[] = [
    { ...small, tracer: { tracer: "callTracer", onlyTopCall: true, withLog: false } },
    { ...small, overrides: {} },
    { ...small, preceding: [] },
    { ...small, call: { ...call, input: `0x${"00".repeat(20_000)}` } },
    { ...small, call: { ...call, accessList: [{ address: contract, storageKeys }] } },
    { ...small, call: { ...call, authorizationList: [] } },
    { kind: "recoverSenders", raws: [] },
  ];
  const store = toDatabase(sandbox.store);
  for (const job of jobs) expect(await setUp().run(job, store)).toBeUndefined();
  expect(await setUp().run(small, store)).toBeDefined();
});

test("many jobs together stay within the turn's budget, and the next turn has a full budget again", async () => {
  // Each job's countdown takes about 40,000 units.
  const code = countDown(1_500);
  const sandbox = await createSandbox({ [contract]: { balance: 0n, code } });
  const store = toDatabase(sandbox.store);
  const job = toJob(sandbox, { to: contract });
  const alone = await setUp().run(job, store);
  const gas = Number(alone!.result.gasUsed) - 21_000;
  expect(gas).toBeGreaterThan(30_000);
  expect(gas).toBeLessThan(jobUnits);
  const inline = setUp();
  const flood = async () => {
    const all = await Promise.all(Array.from({ length: 200 }, () => inline.run(job, store)));
    return all.filter((done) => done !== undefined);
  };
  const first = await flood();
  expect(first.length).toBeGreaterThan(4);
  expect(first.length * gas).toBeLessThanOrEqual(turnUnits);
  expect(await flood()).toEqual([]);
  inline.endTurn();
  expect(await flood()).toHaveLength(first.length);
});

test("abandoned jobs count toward the turn's budget", async () => {
  const endless: Hex = `0x5b${assemble(...callTo(contract), "POP", 0, "JUMP").slice(2)}`;
  const sandbox = await createSandbox({ [contract]: { balance: 0n, code: endless } });
  const store = toDatabase(sandbox.store);
  const inline = setUp();
  let tried = 0;
  for (let at = 0; at < 100; at++) {
    const before = store.reads();
    // Each job calls a different function, so none of them is skipped.
    const input: Hex = `0x${at.toString(16).padStart(8, "0")}`;
    expect(await inline.run(toJob(sandbox, { to: contract, input }), store)).toBeUndefined();
    if (store.reads() > before) tried++;
  }
  expect(tried).toBe(turnUnits / jobUnits);
});

test("inline jobs compile no code", async () => {
  // Drops code that other test files in this worker compiled.
  setTier({ ...usualLimits, count: 0 });
  setTier(compileAtOnce);
  try {
    const sandbox = await createSandbox({ [contract]: { balance: 0n, code: countDown(100) } });
    const store = toDatabase(sandbox.store);
    const before = listCompiled()?.count ?? 0;
    const here = await setUp().run(toJob(sandbox, { to: contract }), store);
    expect(here).toBeDefined();
    expect(listCompiled()?.count ?? 0).toBe(before);
    expect(await runJob(toJob(sandbox, { to: contract }), async () => store, unlimited)).toEqual(here);
    expect(listCompiled()?.count).toBe(before + 1);
  } finally {
    setTier(usualLimits);
  }
});

const sender = privateKeyToAccount(`0x${"44".repeat(32)}`);
const rich = { [sender.address.toLowerCase() as Address]: { balance: 10n ** 20n } };

/** A block whose transactions all call the contract. */
async function toBlock(sandbox: Sandbox, calls: number, more: Partial<ExecuteBlock> = {}): Promise<ExecuteBlock> {
  const fees = { type: "eip1559", chainId: 31_337, maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 1n } as const;
  const raws = await Promise.all(
    Array.from({ length: calls }, (_, nonce) =>
      sender.signTransaction({ ...fees, nonce, to: contract, gas: 16_000_000n }),
    ),
  );
  return {
    ...{ kind: "executeBlock", mode: "build", spec: sandbox.spec, env: sandbox.env, extraData: "0x" },
    ...{ parent: 0, parentStateRoot: sandbox.head.stateRoot, ommers: [], withdrawals: [] },
    transactions: raws.map((raw) => ({ raw: hexToBytes(raw) })),
    ...more,
  };
}

const toEdit = (sandbox: Sandbox, slots: number): EditState => ({
  ...{ kind: "editState", spec: sandbox.spec, env: sandbox.env, block: 0, stateRoot: sandbox.head.stateRoot },
  edits: [
    {
      address: contract,
      balance: 5n,
      slots: Array.from({ length: slots }, (_, at) => ({ slot: toWord(BigInt(at)), value: toWord(7n) })),
    },
  ],
});

test("a small block and a small state edit have the same result as in a worker", async () => {
  const sandbox = await createSandbox({ ...rich, [contract]: { balance: 0n, code: countDown(500) } });
  const store = toDatabase(sandbox.store);
  for (const job of [await toBlock(sandbox, 3), await toBlock(sandbox, 0), toEdit(sandbox, 3)]) {
    const here = await setUp().run<Job>(job, store);
    expect(here).toBeDefined();
    expect(await runJob<Job>(job, async () => store, unlimited)).toEqual(here);
  }
});

test("calls run at once between the steps of a block, and neither changes the other's result", async () => {
  const sandbox = await createSandbox({ ...rich, [contract]: { balance: 0n, code: countDown(50) } });
  const store = toDatabase(sandbox.store);
  const block = await toBlock(sandbox, 3);
  const call = toJob(sandbox, { to: contract });
  const ofBlock = await runJob(block, async () => store, unlimited);
  const ofCall = await runJob(call, async () => store, unlimited);
  const inline = createInline();
  const building = Promise.resolve(inline.run(block, store));
  let isBuilt = false;
  void building.then(() => {
    isBuilt = true;
  });
  let calls = 0;
  for (; !isBuilt; calls++) {
    expect(inline.run(call, store)).toEqual(ofCall);
    await Promise.resolve();
  }
  expect(calls).toBeGreaterThan(3);
  expect(await building).toEqual(ofBlock);
});

test("a block that exceeds its budget goes to a worker, as do the next blocks, but not for long", async () => {
  const heavy = await createSandbox({ ...rich, [contract]: { balance: 0n, code: countDown(400_000) } });
  const light = await createSandbox({ ...rich, [contract]: { balance: 0n, code: countDown(5) } });
  const inline = setUp();
  const run = async (sandbox: Sandbox) => {
    inline.endTurn();
    return (await inline.run(await toBlock(sandbox, 1), toDatabase(sandbox.store))) !== undefined;
  };
  expect(await run(light)).toBe(true);
  expect(await run(heavy)).toBe(false);
  const done: boolean[] = [];
  for (let at = 0; at < 10; at++) done.push(await run(light));
  expect(done.slice(0, 5)).toEqual(Array(5).fill(false));
  expect(done.at(-1)).toBe(true);
});

test("imported blocks, and blocks and edits with many parts, go to a worker", async () => {
  const sandbox = await createSandbox({ ...rich, [contract]: { balance: 0n, code: "0x00" } });
  const store = toDatabase(sandbox.store);
  const jobs: Job[] = [
    await toBlock(sandbox, 1, { mode: "import" }),
    await toBlock(sandbox, 60),
    toEdit(sandbox, 60),
    { ...toEdit(sandbox, 0), edits: [{ address: "0x0000f90827f1c53a10cb7a02335b175320002935", code: "0x00" }] },
  ];
  for (const job of jobs) expect(await setUp().run(job, store)).toBeUndefined();
});

test("blocks run even if calls have used up the turn's budget, and calls wait after a block", async () => {
  const sandbox = await createSandbox({ ...rich, [contract]: { balance: 0n, code: countDown(1_500) } });
  const store = toDatabase(sandbox.store);
  const inline = setUp();
  const call = toJob(sandbox, { to: contract });
  while (await inline.run(call, store));
  expect(await inline.run(await toBlock(sandbox, 1), store)).toBeDefined();
  expect(await inline.run(call, store)).toBeUndefined();
});
