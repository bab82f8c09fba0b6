import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { toBlockSize } from "@/server/ethereum/codec/block";
import { emptyBloom } from "@/server/ethereum/codec/bloom";
import { toWord } from "@/server/ethereum/codec/bytes";
import { emptyOmmersHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { InvalidTransactionError, JobTimeoutError, QueueFullError, QueueWaitError } from "@/server/ethereum/errors";
import { toSpec } from "@/server/ethereum/spec";
import type { Address, GenesisAccount, Header, Hex, StateChanges } from "@/server/ethereum/types";
import { createExecutor, type ExecutorOptions } from "@/server/execution/pool";
import { assemble } from "@/server/execution/testing/assemble";
import type { BlockEnv, Call, Executor, Job } from "@/server/ports/executor";
import type { Store } from "@/server/ports/store";
import { openOrCreate } from "@/server/storage/open";

const spec = toSpec({ chainId: 77, berlinBlock: 0, londonBlock: 0, shanghaiTime: 0 });
const sender: Address = `0x${"aa".repeat(20)}`;
const answering: Address = `0x${"01".padStart(40, "b")}`;
const spinning: Address = `0x${"02".padStart(40, "b")}`;
/** Code that returns the word in its slot 0. */
const readSlot: Hex = "0x5f545f5260205ff3";
/** JUMPDEST, PUSH0, JUMP: a loop that runs until the gas is used up. */
const spin: Hex = "0x5b5f56";
/** Code that calls itself twice with all its gas. */
const recurse = assemble(0, 0, 0, 0, 0, "ADDRESS", "GAS", "CALL", 0, 0, 0, 0, 0, "ADDRESS", "GAS", "CALL");
const recursing: Address = `0x${"03".padStart(40, "b")}`;
const slot0 = toWord(0n);
const alloc: Record<Address, GenesisAccount> = {
  [sender]: { balance: 10n ** 20n },
  [answering]: { balance: 0n, code: readSlot, storage: { [slot0]: toWord(42n) } },
  [spinning]: { balance: 0n, code: spin },
  [recursing]: { balance: 0n, code: recurse },
};

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function setUp(
  options: Partial<ExecutorOptions> = {},
): Promise<{ executor: Executor; store: Store; head: Header }> {
  const folder = mkdtempSync(join(tmpdir(), "executor-"));
  open.push({ close: () => rmSync(folder, { recursive: true }) });
  const location = { kind: "sqlite", file: join(folder, "chain.db") } as const;
  // Uses a long time limit, because a busy machine can take seconds to start a thread.
  const executor = createExecutor({ location, callTimeMs: 60_000, ...options });
  open.push(executor);
  const { state, stateRoot } = await executor.run({ kind: "genesis", spec, alloc });
  const head = toBlockHeader(0, stateRoot);
  const store = await openOrCreate(location, { chainId: spec.chainId, genesisHash: head.hash });
  open.push(store);
  await commit(store, head, state);
  return { executor, store, head };
}

function toBlockHeader(number: number, stateRoot: Header["stateRoot"], parent?: Header): Header {
  return toHeader({
    parentHash: parent?.hash ?? `0x${"00".repeat(32)}`,
    ommersHash: emptyOmmersHash,
    coinbase: `0x${"cc".repeat(20)}`,
    stateRoot,
    transactionsRoot: emptyTrieRoot,
    receiptsRoot: emptyTrieRoot,
    logsBloom: emptyBloom,
    difficulty: 0n,
    number,
    gasLimit: 10n ** 12n,
    gasUsed: 0n,
    timestamp: number,
    extraData: "0x",
    mixHash: `0x${"00".repeat(32)}`,
    nonce: "0x0000000000000000",
    baseFeePerGas: 7n,
    withdrawalsRoot: emptyTrieRoot,
  });
}

async function commit(store: Store, header: Header, state: StateChanges): Promise<void> {
  const parts = { header, transactions: [], ommers: [], withdrawals: [] };
  await store.commit({
    block: { ...parts, size: toBlockSize(parts) },
    receipts: [],
    state,
    explorer: {
      addressTransactions: [],
      tokenTransfers: [],
      internalTransfers: [],
      transactionTerms: [],
      figures: { blockNumber: 0, payments: 0, failed: 0 },
      nftTransfers: [],
    },
    pool: { put: [], delete: [] },
    chainId: spec.chainId,
  });
}

function toEnv(header: Header): BlockEnv {
  const { number, timestamp, coinbase, gasLimit, difficulty, mixHash, parentHash, baseFeePerGas } = header;
  return {
    number,
    timestamp,
    coinbase,
    gasLimit,
    difficulty,
    prevRandao: mixHash,
    parentHash,
    baseFeePerGas: baseFeePerGas!,
  };
}

function toCall(head: Header, to: Address, gas = 100_000n): Call {
  return {
    kind: "call",
    spec,
    env: toEnv(head),
    stateBlock: head.number,
    call: { from: sender, to, gas, value: 0n, input: "0x", gasPrice: 0n },
  };
}

const callTracer = { tracer: "callTracer", onlyTopCall: false, withLog: false } as const;

function toSimulation(head: Header, to: Address): Job {
  const { coinbase, gasLimit, difficulty, mixHash: prevRandao } = head;
  const block = {
    number: 1,
    timestamp: 1,
    coinbase,
    gasLimit,
    difficulty,
    prevRandao,
    calls: [{ to }],
    withdrawals: [],
  };
  const rest = { validation: false, traceTransfers: false, gas: 10n ** 12n };
  return { kind: "simulate", spec, parent: head, blocks: [block], ...rest };
}

test("a job reads the latest committed block, even if the database was created after the executor", async () => {
  const { executor, store, head } = await setUp();
  const { result } = await executor.run(toCall(head, answering));
  expect(result).toMatchObject({ output: toWord(42n), gasUsed: 23_115n, logs: [] });
  let parent = head;
  for (let number = 1; number <= 5; number++) {
    const value = toWord(BigInt(number));
    const header = toBlockHeader(number, head.stateRoot, parent);
    const change = { address: answering, slot: slot0, value } as const;
    await commit(store, header, { accounts: [], storage: [change], codes: [], trieNodes: [] });
    expect((await executor.run(toCall(header, answering))).result.output).toBe(value);
    parent = header;
  }
});

/** Collects the worker threads that are started after this call. */
function listWorkers(): Worker[] {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker) => workers.push(worker);
  process.on("worker", onWorker);
  open.push({ close: () => process.off("worker", onWorker) });
  return workers;
}

test.each([
  ["call", (head: Header): Job => toCall(head, spinning, 10n ** 15n)],
  ["call that calls itself", (head: Header): Job => toCall(head, recursing, 10n ** 15n)],
  ["estimate", (head: Header): Job => ({ ...toCall(head, spinning, 10n ** 15n), kind: "estimateGas" })],
  ["access list", (head: Header): Job => ({ ...toCall(head, spinning, 10n ** 15n), kind: "createAccessList" })],
  ["trace", (head: Header): Job => ({ ...toCall(head, spinning, 10n ** 15n), tracer: callTracer })],
  ["simulation", (head: Header): Job => toSimulation(head, spinning)],
])("a job ends at its time limit, and the next one runs on the same worker: %s", async (_, toJob) => {
  const workers = listWorkers();
  const { executor, head } = await setUp({ callWorkers: 1 });
  expect((await executor.run(toCall(head, answering))).result.failure).toBeUndefined();
  const before = workers.length;
  await expect(executor.run(toJob(head), { timeoutMs: 200 })).rejects.toThrow(new JobTimeoutError(200));
  expect((await executor.run(toCall(head, answering))).result.output).toBe(toWord(42n));
  expect(workers).toHaveLength(before);
  expect(executor.statistics()).toMatchObject({ activeRequests: 0, totalRequests: 3, totalErrors: 1 });
});

test("an overdue call that can't check the clock ends with its worker, and the next call runs", async () => {
  const workers = listWorkers();
  const { executor, head } = await setUp({ callWorkers: 1 });
  await executor.run(toCall(head, answering));
  const before = workers.length;
  // One modular exponentiation whose base, exponent and modulus have 16,384 bytes each.
  const length = toWord(16_384n).slice(2);
  const input: Hex = `0x${length.repeat(3)}${["f7", "ff", "f1"].map((byte) => byte.repeat(16_384)).join("")}`;
  const job = toCall(head, `0x${"5".padStart(40, "0")}`, 10n ** 15n);
  const endless = executor.run({ ...job, call: { ...job.call, input } }, { timeoutMs: 100 });
  expect(await endless.then(() => "an answer", String)).toBe(String(new JobTimeoutError(100)));
  expect((await executor.run(toCall(head, answering))).result.output).toBe(toWord(42n));
  expect(workers).toHaveLength(before + 1);
});

test("a full queue rejects a call immediately, and blocks are built while every call worker is busy", async () => {
  const { executor, head } = await setUp({ callWorkers: 1, callQueue: 1 });
  await executor.run(toCall(head, answering));
  const running = executor.run(toCall(head, spinning, 10n ** 15n), { timeoutMs: 60_000 });
  const waiting = executor.run(toCall(head, answering), { timeoutMs: 60_000 });
  const stopped = Promise.all([running, waiting].map((job) => expect(job).rejects.toThrow("The executor is closed.")));
  await expect(executor.run(toCall(head, answering))).rejects.toThrow(new QueueFullError(1));
  expect(executor.statistics()).toMatchObject({
    activeRequests: 1,
    queuedRequests: 1,
    inactiveExecutors: 0,
    totalRequests: 4,
    totalErrors: 1,
    queueRejections: 1,
  });
  const { oldestRequestAgeMs, averageRequestAgeMs } = executor.statistics();
  expect(oldestRequestAgeMs).toBeGreaterThanOrEqual(averageRequestAgeMs);
  const built = await executor.run({
    kind: "executeBlock",
    spec,
    env: { ...toEnv(head), number: 1, timestamp: 1, parentHash: head.hash },
    parent: 0,
    parentStateRoot: head.stateRoot,
    transactions: [],
    ommers: [],
    withdrawals: [],
    mode: "build",
    extraData: "0x",
  });
  expect(built.gasUsed).toBe(0n);
  expect(executor.statistics().activeRequests).toBe(1);
  await executor.close();
  await stopped;
});

test("calls with large inputs fill the queue sooner, and make room for another client's small call", async () => {
  const { executor, head } = await setUp({ callWorkers: 1, callQueue: 100 });
  await executor.run(toCall(head, answering));
  const running = executor.run(toCall(head, spinning, 10n ** 15n), { timeoutMs: 60_000 });
  const { call, ...job } = toCall(head, answering);
  const large = { ...job, call: { ...call, input: `0x${"00".repeat(2_000_000)}` as const } };
  // Each of these jobs takes 62 places in the queue.
  const waiting = executor.run(large, { timeoutMs: 60_000, client: "greedy" });
  await expect(executor.run(large, { client: "greedy" })).rejects.toThrow(new QueueFullError(100));
  expect(executor.statistics().queuedRequests).toBe(1);
  const small = Array.from({ length: 39 }, () => executor.run(toCall(head, answering), { client: "other" }));
  await expect(waiting).rejects.toThrow(new QueueFullError(100));
  const stopped = Promise.all([running, ...small].map((job) => expect(job).rejects.toThrow("The executor is closed.")));
  expect(executor.statistics().queuedRequests).toBe(39);
  await executor.close();
  await stopped;
});

test("a trivial trace succeeds while another client has forty endless calls", async () => {
  const { executor, head } = await setUp({ callWorkers: 2 });
  const endless = { ...toCall(head, spinning, 10n ** 15n), tracer: callTracer };
  const greedy = Array.from({ length: 40 }, () => executor.run(endless, { timeoutMs: 2_000, client: "greedy" }));
  const ended: unknown[] = [];
  for (const call of greedy) call.catch((error: unknown) => ended.push(error));
  const traced = await executor.run({ ...toCall(head, answering), tracer: callTracer }, { client: "other" });
  expect(traced.result.output).toBe(toWord(42n));
  // Each worker has run at most two of the greedy client's calls: the worker's first call, and possibly another one
  // that it had already started.
  expect(ended.length).toBeLessThanOrEqual(4);
  await executor.close();
  await Promise.allSettled(greedy);
});

test("a call's time limit doesn't include its wait, and a call that waits too long is rejected by the queue", async () => {
  const { executor, head } = await setUp({ callWorkers: 1, callWaitMs: 4_000 });
  await executor.run(toCall(head, answering));
  const long = () => executor.run(toCall(head, spinning, 10n ** 15n), { timeoutMs: 1_500 }).catch((error) => error);
  const running = long();
  // This call waits longer than its time limit.
  const patient = await executor.run(toCall(head, answering), { timeoutMs: 1_000 });
  expect(patient.result.output).toBe(toWord(42n));
  expect(await running).toMatchObject({ code: "JOB_TIMEOUT" });
  const endless = executor.run(toCall(head, spinning, 10n ** 15n), { timeoutMs: 60_000 });
  const stopped = expect(endless).rejects.toThrow("The executor is closed.");
  const { queueRejections } = executor.statistics();
  await expect(executor.run(toCall(head, answering))).rejects.toThrow(new QueueWaitError(1_000, 4_000));
  expect(executor.statistics().queueRejections - queueRejections).toBe(1);
  await executor.close();
  await stopped;
});

test("a worker that dies fails only its own job", async () => {
  const workers = listWorkers();
  const { executor, head } = await setUp({ callWorkers: 1 });
  await executor.run(toCall(head, answering));
  const running = executor.run(toCall(head, spinning, 10n ** 15n), { timeoutMs: 60_000 });
  const waiting = executor.run(toCall(head, answering), { timeoutMs: 60_000 });
  const failed = expect(running).rejects.toThrow("The worker thread running the job exited with code 1.");
  await workers.at(-1)!.terminate();
  await failed;
  expect((await waiting).result.failure).toBeUndefined();
  expect(executor.statistics()).toMatchObject({ activeRequests: 0, queuedRequests: 0, totalErrors: 1 });
});

test("a worker ends when it is idle, and the next job starts another one", async () => {
  const workers = listWorkers();
  const { executor, head } = await setUp({ callWorkers: 1, idleMs: 1 });
  for (let count = 1; count <= 3; count++) {
    expect((await executor.run(toCall(head, answering))).result.output).toBe(toWord(42n));
    const worker = workers.at(-1)!;
    if (worker.threadId !== -1) await once(worker, "exit");
    expect(workers).toHaveLength(count);
  }
});

test("an error from a worker keeps its code and message", async () => {
  const { executor, head } = await setUp();
  const job = toCall(head, answering);
  const error = await executor
    .run({ ...job, call: { ...job.call, value: 10n ** 30n } })
    .catch((thrown: unknown) => thrown);
  const reason = "insufficient funds for gas * price + value";
  expect(error).toMatchObject({ name: "InvalidTransactionError", code: reason, message: reason });
});

test("close rejects the running job and all later ones", async () => {
  const { executor, head } = await setUp({ callWorkers: 1 });
  await executor.run(toCall(head, answering));
  const running = executor.run(toCall(head, spinning, 10n ** 15n));
  const refused = expect(running).rejects.toThrow("The executor is closed.");
  await executor.close();
  await refused;
  await expect(executor.run(toCall(head, answering))).rejects.toThrow("The executor is closed.");
});

test("calls that are sent together get their own results, and those behind a long call move to another worker", async () => {
  const { executor, head } = await setUp({ callWorkers: 2, callTimeMs: 20_000 });
  // Starts both workers first, so that the following calls are sent together.
  await Promise.all([executor.run(toCall(head, answering)), executor.run(toCall(head, answering))]);
  const endless = executor.run(toCall(head, spinning, 10n ** 15n), { timeoutMs: 60_000 }).catch((error) => error);
  let isEndless = true;
  void endless.then(() => {
    isEndless = false;
  });
  const first = executor.run(toCall(head, answering));
  const gases = Array.from({ length: 200 }, (_, at) => 50_000n + BigInt(at));
  // Every tenth call has too little gas and must report that at its own index.
  const results = await Promise.all([
    first,
    ...gases.map((gas, at) => executor.run(toCall(head, answering, at % 10 === 0 ? 21_100n : gas))),
  ]);
  expect(isEndless).toBe(true);
  for (const [at, { result }] of results.slice(1).entries()) {
    expect(result.failure === undefined).toBe(at % 10 !== 0);
    if (at % 10 !== 0) expect(result.output).toBe(toWord(42n));
  }
  expect(executor.statistics()).toMatchObject({ activeRequests: 1, queuedRequests: 0 });
  await executor.close();
  expect(await endless).toMatchObject({ message: "The executor is closed." });
});

test("calls queued behind one that times out run after it ends", async () => {
  const { executor, head } = await setUp({ callWorkers: 1, callTimeMs: 30_000 });
  await executor.run(toCall(head, answering));
  const long = () => executor.run(toCall(head, spinning, 10n ** 15n), { timeoutMs: 700 }).catch((error) => error);
  const quick = () => executor.run(toCall(head, answering));
  const [first, ...answers] = await Promise.all([quick(), ...Array.from({ length: 10 }, quick)]);
  expect([first, ...answers].every((answer) => answer?.result.output === toWord(42n))).toBe(true);
  // The first call keeps the worker busy, so the other calls are sent together. The long call comes first among them.
  const [, ended, ...behind] = await Promise.all([quick(), long(), ...Array.from({ length: 10 }, quick)]);
  expect(ended).toMatchObject({ code: "JOB_TIMEOUT" });
  expect(behind.every((answer) => answer.result.output === toWord(42n))).toBe(true);
});

test("small calls run inline and long calls in a worker, with the same results as without a store", async () => {
  const workers = listWorkers();
  const { executor, store, head } = await setUp({ callWorkers: 1 });
  const before = workers.length;
  const small = toCall(head, answering);
  const here = await executor.run(small, { store });
  const refused = executor.run({ ...small, call: { ...small.call, value: 10n ** 30n } }, { store });
  await expect(refused).rejects.toThrow(InvalidTransactionError);
  const outOfGas = await executor.run(toCall(head, answering, 21_100n), { store });
  expect(outOfGas.result.failure?.kind).toBe("outOfGas");
  const estimate = await executor.run({ ...small, kind: "estimateGas" }, { store });
  const accessList = await executor.run({ ...small, kind: "createAccessList" }, { store });
  expect(workers).toHaveLength(before);
  // Each job counts as a request, although it was never counted as queued or active.
  expect(executor.statistics()).toMatchObject({
    activeRequests: 0,
    queuedRequests: 0,
    totalRequests: 5,
    totalErrors: 2,
  });

  const long = toCall(head, spinning, 5_000_000n);
  const [first, second] = [await executor.run(long, { store }), await executor.run(long)];
  expect(first).toEqual(second);
  expect(first.result.gasUsed).toBe(5_000_000n);
  expect(workers).toHaveLength(before + 1);
  expect(await executor.run(small)).toEqual(here);
  expect(await executor.run({ ...small, kind: "estimateGas" })).toEqual(estimate);
  expect(await executor.run({ ...small, kind: "createAccessList" })).toEqual(accessList);
  expect(executor.statistics()).toMatchObject({ totalRequests: 10, totalErrors: 4 });

  // This thread never reads an asynchronous store.
  expect(await executor.run(small, { store: { ...store, isShared: true } })).toEqual(here);
  await executor.close();
  await expect(executor.run(small, { store })).rejects.toThrow("The executor is closed.");
});
