/** Covers what the published tests leave out: asynchronous reads, full regions, call depth, and both builds. */
import { expect, test } from "vitest";
import { toRead } from "@/server/ethereum/pending";
import { toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import { executeCall } from "@/server/execution/call";
import type { ExecutionStore } from "@/server/execution/state/overlay";
import { assemble, callTo, type Part, returnTop } from "@/server/execution/testing/assemble";
import { bob, createSandbox } from "@/server/execution/testing/sandbox";

const contract: Address = `0x${"c0".repeat(20)}`;
const gas = 200_000_000n;

async function run(
  code: Hex,
  options: { store?: (store: ExecutionStore) => ExecutionStore; tracer?: TracerConfig } = {},
) {
  const sandbox = await createSandbox({ [contract]: { balance: 5n, code, storage: { [word(7)]: word(9) } } });
  const job = sandbox.toJob({ to: contract, gas });
  const store = options.store?.(sandbox.store) ?? sandbox.store;
  const { result } = await executeCall(
    { kind: "call", ...job, ...(options.tracer ? { tracer: options.tracer } : {}) },
    store,
  );
  return result;
}

function word(value: number): Hash {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Code that runs the body `times` times. The counter is at memory offset 0 and counts down to one. */
function loop(times: number, ...body: Part[]): Hex {
  const start = assemble(times, 0, "MSTORE");
  const head = (start.length - 2) / 2;
  return `${start}5b${assemble(...body, 1, 0, "MLOAD", "0x03", 0, "MSTORE", 0, "MLOAD", head, "JUMPI").slice(2)}`;
}

/** Makes a store's reads asynchronous and adds each read to the list. */
function slow(asked: string[]): (store: ExecutionStore) => ExecutionStore {
  const later =
    <Key extends (string | number)[], V>(name: string, read: (...key: Key) => V) =>
    async (...key: Key): Promise<V> => {
      asked.push(`${name} ${key.join(" ")}`);
      await new Promise((resolve) => setImmediate(resolve));
      return read(...key);
    };
  return ({ reads, ...store }) => ({
    ...store,
    reads: {
      findAccount: toRead(later("account", reads.findAccount)),
      findSlot: toRead(later("slot", reads.findSlot)),
      hasSlots: toRead(later("slots", reads.hasSlots)),
      findCode: toRead(later("code", reads.findCode)),
      findTrieNode: toRead(later("node", reads.findTrieNode)),
      findBlockHash: toRead(later("hash", reads.findBlockHash)),
    },
  });
}

const reading = assemble(7, "SLOAD", BigInt(bob), "BALANCE", "ADD", 0, "BLOCKHASH", "ADD", ...returnTop);

test("reads each value of an asynchronous store once, with the same result as a synchronous store", async () => {
  const asked: string[] = [];
  const later = await run(reading, { store: slow(asked) });
  expect(later).toEqual(await run(reading));
  expect(later.failure).toBeUndefined();
  expect(asked.length).toBeGreaterThan(4);
  expect(new Set(asked).size).toBe(asked.length);
});

test.each([
  { tracer: "callTracer", onlyTopCall: false, withLog: true },
  { tracer: "prestateTracer", diffMode: true, disableCode: false, disableStorage: false },
  {
    tracer: "structLog",
    enableMemory: true,
    disableStack: false,
    disableStorage: false,
    enableReturnData: true,
    limit: 0,
  },
] as TracerConfig[])("$tracer reports a restarted run only once", async (tracer) => {
  const code = assemble(...callTo(bob, 1), 7, "SLOAD", "ADD", 8, "SSTORE", 0, 0, "LOG0");
  expect(await run(code, { tracer, store: slow([]) })).toEqual(await run(code, { tracer }));
});

test.each<[string, Hex, number]>([
  ["more slots", loop(6_000, 1, 0, "MLOAD", "SSTORE"), 6_000],
  ["more accounts", loop(3_000, 0, "MLOAD", 0x10000, "ADD", "BALANCE", "POP"), 3_000],
  ["more logs", loop(40_000, 32, 0, "LOG0"), 40_000],
])("a run can use %s than fit at first", async (_, code, times) => {
  const result = await run(code);
  expect(result.failure).toBeUndefined();
  expect(result.gasUsed).toBeGreaterThan(BigInt(times) * 100n);
  if (result.logs.length > 0) expect(result.logs.map(({ data }) => Number(data)).at(-1)).toBe(1);
});

test("a run can return more data than fits at first", async () => {
  const { output, failure } = await run(assemble(1, 0x2fffe0, "MSTORE", 0x300000, 0, "RETURN"));
  expect(failure).toBeUndefined();
  expect(output).toBe(`0x${"00".repeat(0x300000 - 1)}01`);
});

test("nests calls 1,024 deep, each with a full stack, and fails the next call", async () => {
  // The code counts its calls in slot 0, pushes 900 words onto the stack, and calls itself with all its gas.
  const fill = "6000".repeat(900);
  const self = assemble(1, 0, "SLOAD", "ADD", 0, "SSTORE");
  const call = assemble(0, 0, 0, 0, 0, "ADDRESS", "GAS", "CALL");
  const sandbox = await createSandbox({ [contract]: { balance: 0n, code: `${self}${fill}${call.slice(2)}` as Hex } });
  const job = sandbox.toJob({ to: contract, gas: 10n ** 15n });
  const tracer: TracerConfig = { tracer: "prestateTracer", diffMode: true, disableCode: true, disableStorage: false };
  const { result } = await executeCall({ kind: "call", ...job, tracer }, sandbox.store);
  const { post } = result.trace as { post: Record<Address, { storage: Record<Hash, Hash> }> };
  expect(post[contract]!.storage[word(0)]).toBe(word(1_025));
});

test("a traced run has the same result as a plain one", async () => {
  const code = loop(50, 0, "MLOAD", 7, "SLOAD", "ADD", 0, "MLOAD", "SSTORE", 32, 0, "LOG0");
  const plain = await run(code);
  const tracer: TracerConfig = { tracer: "callTracer", onlyTopCall: false, withLog: false };
  const { trace, ...traced } = await run(code, { tracer });
  expect(trace).toBeDefined();
  expect(traced).toEqual(plain);
});

test("a request for more memory than a block could pay for runs out of gas at once, without a trap", async () => {
  for (const size of [0x40000000, 0xffffffff, 2n ** 64n, 2n ** 255n]) {
    const { failure } = await run(assemble(1, BigInt(size), "MSTORE"));
    expect(failure?.kind).toBe("outOfGas");
  }
});

test("before Prague, code that looks like a delegation runs as code", async () => {
  const spec = toEmbeddedSpec(1);
  const last = spec.forks.findIndex(({ fork }) => fork === "berlin");
  const looksLike: Hex = `0xef0100${bob.slice(2)}`;
  const accounts = {
    [contract]: { balance: 0n, code: looksLike },
    [bob]: { balance: 0n, code: assemble(1, ...returnTop) },
  };
  const old = await createSandbox(accounts, { ...spec, forks: spec.forks.slice(0, last + 1) });
  const { result } = await executeCall({ kind: "call", ...old.toJob({ to: contract, gas }) }, old.store);
  expect(result.failure?.message).toBe("invalid opcode: opcode 0xef not defined");
  const now = await createSandbox(accounts);
  const { result: delegated } = await executeCall({ kind: "call", ...now.toJob({ to: contract, gas }) }, now.store);
  expect(delegated.output).toBe(word(1));
});
