import { expect, test } from "vitest";
import { toWord } from "@/server/ethereum/codec/bytes";
import { toCreateAddress } from "@/server/ethereum/codec/contractAddress";
import { JobTimeoutError, TraceTooLargeError } from "@/server/ethereum/errors";
import type { Address, GenesisAccount, Hex } from "@/server/ethereum/types";
import type { Budget } from "@/server/evm/budget";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import { executeCall } from "@/server/execution/call";
import { executeCreateAccessList } from "@/server/execution/createAccessList";
import { executeEstimateGas } from "@/server/execution/estimateGas";
import { assemble, callTo, type Part, returnTop } from "@/server/execution/testing/assemble";
import { alice, bob, coinbase, createSandbox } from "@/server/execution/testing/sandbox";
import type { CallMessage, StateOverrides } from "@/server/ports/executor";

const contract: Address = `0x${"c0".repeat(20)}`;
const other: Address = `0x${"d0".repeat(20)}`;
const missing: Address = `0x${"e0".repeat(20)}`;

function withCode(parts: Part[], more: Partial<GenesisAccount> = {}): GenesisAccount {
  return { balance: 0n, code: assemble(...parts), ...more };
}

async function call(
  accounts: Record<Address, GenesisAccount>,
  message: Partial<CallMessage>,
  more: { tracer?: TracerConfig; overrides?: StateOverrides } = {},
) {
  const sandbox = await createSandbox(accounts);
  const { result } = await executeCall(
    { kind: "call", ...sandbox.toJob({ to: contract, ...message }), ...more },
    sandbox.store,
  );
  return result;
}

/** Reverts with Error(string). The text is "no". */
const revertNo: Part[] = [
  `0x7f08c379a0${"00".repeat(28)}`,
  0,
  "MSTORE",
  32,
  4,
  "MSTORE",
  2,
  36,
  "MSTORE",
  `0x7f6e6f${"00".repeat(30)}`,
  68,
  "MSTORE",
  100,
  0,
  "REVERT",
];

test.each<[string, Part[], { kind: string; message: string }]>([
  ["a revert", revertNo, { kind: "revert", message: "execution reverted" }],
  ["running out of gas", ["JUMPDEST", 0, "JUMP"], { kind: "outOfGas", message: "out of gas" }],
  ["INVALID", ["INVALID"], { kind: "halt", message: "invalid opcode: INVALID" }],
  ["an undefined opcode", ["0x0c"], { kind: "halt", message: "invalid opcode: opcode 0xc not defined" }],
  ["an invalid jump", [7, "JUMP"], { kind: "halt", message: "invalid jump destination" }],
  ["a stack underflow", ["ADD"], { kind: "halt", message: "stack underflow" }],
])("a call that fails because of %s has the standard message", async (_, code, failure) => {
  expect((await call({ [contract]: withCode(code) }, { gas: 100_000n })).failure).toEqual(failure);
});

test("a call without a gas price reads a base fee of zero, and a call with one reads the block's base fee", async () => {
  const accounts = { [contract]: withCode(["BASEFEE", ...returnTop]) };
  expect((await call(accounts, {})).output).toBe(toWord(0n));
  expect((await call(accounts, { gasPrice: 2_000_000_000n })).output).toBe(toWord(1_000_000_000n));
});

test("an invalid call throws an error instead of returning a result", async () => {
  await expect(call({}, { gas: 20_000n })).rejects.toThrow(/^intrinsic gas too low$/);
  await expect(call({}, { from: bob, value: 1n })).rejects.toThrow(/^insufficient funds for gas \* price \+ value$/);
  await expect(call({}, { gasPrice: 1n })).rejects.toThrow(/^max fee per gas less than block base fee$/);
  const fees = { maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 3n * 10n ** 9n };
  await expect(call({}, fees)).rejects.toThrow(/^max priority fee per gas higher than max fee per gas$/);
});

test("applying overrides stops once the call's time is used up", async () => {
  const sandbox = await createSandbox({});
  let taken = 0;
  const budget: Budget = {
    take() {
      if (++taken > 2) throw new JobTimeoutError(1);
      return 1;
    },
    giveBack: () => undefined,
  };
  const overrides = Object.fromEntries([alice, bob, contract].map((address) => [address, { balance: 1n }]));
  const job = { kind: "call" as const, ...sandbox.toJob({ to: other }), overrides };
  await expect(executeCall(job, sandbox.store, budget)).rejects.toThrow(JobTimeoutError);
  expect(taken).toBe(3);
});

test("overrides replace balance, nonce, code and slots for one call only", async () => {
  const slot = toWord(1n);
  const accounts = { [contract]: withCode([1, "SLOAD", ...returnTop], { storage: { [slot]: toWord(5n) } }) };
  expect((await call(accounts, {})).output).toBe(toWord(5n));
  const diff = { [contract]: { stateDiff: { [slot]: toWord(6n) } } };
  expect((await call(accounts, {}, { overrides: diff })).output).toBe(toWord(6n));
  const whole = { [contract]: { state: { [toWord(2n)]: toWord(7n) } } };
  expect((await call(accounts, {}, { overrides: whole })).output).toBe(toWord(0n));
  const code = { [contract]: { code: assemble(BigInt(bob), "BALANCE", ...returnTop) }, [bob]: { balance: 9n } };
  expect((await call(accounts, {}, { overrides: code })).output).toBe(toWord(9n));
  const created = await call({}, { to: undefined, input: assemble("ADDRESS", ...returnTop) } as never, {
    overrides: { [alice]: { nonce: 77n } },
  });
  expect(created.output).toBe(toWord(BigInt(toCreateAddress(alice, 77n))));
  await expect(call(accounts, {}, { overrides: { [contract]: { state: {}, stateDiff: {} } } })).rejects.toThrow(
    "has both 'state' and 'stateDiff'",
  );
});

test("a moved precompile runs only at its new address, and in the next call at its original one", async () => {
  const sha256: Address = `0x${"02".padStart(40, "0")}`;
  const empty = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const overrides = { [sha256]: { movePrecompileTo: other } };
  expect((await call({}, { to: other }, { overrides })).output).toBe(empty);
  expect((await call({}, { to: sha256 }, { overrides })).output).toBe("0x");
  expect((await call({}, { to: sha256 })).output).toBe(empty);
  const bad = { [bob]: { movePrecompileTo: other } };
  await expect(call({}, {}, { overrides: bad })).rejects.toThrow(`account ${bob} is not a precompile`);
});

async function estimate(accounts: Record<Address, GenesisAccount>, message: Partial<CallMessage>) {
  const sandbox = await createSandbox(accounts);
  const job = sandbox.toJob({ to: contract, ...message });
  const done = await executeEstimateGas({ kind: "estimateGas", ...job }, sandbox.store);
  const succeedsWith = async (gas: bigint) => {
    try {
      const { result } = await executeCall({ kind: "call", ...job, call: { ...job.call, gas } }, sandbox.store);
      return result.failure === undefined;
    } catch {
      return false;
    }
  };
  return { done, succeedsWith };
}

const guard: Part[] = [0, "SSTORE", "STOP"];
test.each<[string, Record<Address, GenesisAccount>, Partial<CallMessage>]>([
  ["a transfer", {}, { to: bob, value: 1n }],
  ["a write", { [contract]: withCode([1, ...guard]) }, {}],
  ["a refunded write", { [contract]: withCode([0, ...guard], { storage: { [toWord(0n)]: toWord(1n) } }) }, {}],
  ["calldata at the EIP-7623 floor", {}, { to: bob, input: `0x${"ff".repeat(500)}` }],
  ["a creation", {}, { to: undefined, input: assemble(32, 0, "RETURN") } as never],
  [
    "a call that passes on all but a 64th of its gas",
    {
      [contract]: withCode([
        ...callTo(other),
        "ISZERO",
        51,
        "JUMPI",
        "STOP",
        `0x${"00".repeat(13)}`,
        "JUMPDEST",
        0,
        0,
        "REVERT",
      ]),
      [other]: withCode([1, 1, "SSTORE", 1, 2, "SSTORE"]),
    },
    {},
  ],
  [
    "code that requires more gas than it spends",
    { [contract]: withCode(["GAS", 500_000, "LT", 14, "JUMPI", 0, 0, "REVERT", "JUMPDEST", "STOP"]) },
    {},
  ],
])("the estimate for %s is the lowest gas with which it succeeds", async (_, accounts, message) => {
  const { done, succeedsWith } = await estimate(accounts, message);
  if (!("gas" in done)) throw new Error(`The call failed: ${done.result.failure?.message}`);
  expect(await succeedsWith(done.gas)).toBe(true);
  expect(await succeedsWith(done.gas - 1n)).toBe(false);
});

test("estimating a call that fails with the maximum gas returns its failure", async () => {
  const { done } = await estimate({ [contract]: withCode(revertNo) }, {});
  expect(done).toMatchObject({ result: { failure: { kind: "revert" } } });
  await expect(estimate({}, { to: bob, from: bob, value: 1n })).rejects.toThrow("insufficient funds");
});

test("an estimate never exceeds the gas that the sender can pay for", async () => {
  const accounts = { [bob]: { balance: 10n ** 9n * 30_000n }, [contract]: withCode([1, ...guard]) };
  const { done } = await estimate(accounts, { from: bob, gasPrice: 10n ** 9n });
  expect(done).toMatchObject({ result: { failure: { kind: "outOfGas" } } });
});

test("an access list has everything that is touched and not already warm, and a call with it gives the same list", async () => {
  const accounts = {
    [contract]: withCode([
      1,
      "SLOAD",
      "POP",
      ...callTo(other),
      "POP",
      BigInt(missing),
      "BALANCE",
      "POP",
      BigInt(alice),
      "BALANCE",
      "STOP",
    ]),
    [other]: withCode([5, 6, "SSTORE", "STOP"]),
  };
  const sandbox = await createSandbox(accounts);
  const job = sandbox.toJob({ to: contract });
  const { accessList, result } = await executeCreateAccessList({ kind: "createAccessList", ...job }, sandbox.store);
  expect(accessList).toEqual([
    { address: contract, storageKeys: [toWord(1n)] },
    { address: other, storageKeys: [toWord(6n)] },
    { address: missing, storageKeys: [] },
  ]);
  const again = { ...job, call: { ...job.call, accessList } };
  const second = await executeCreateAccessList({ kind: "createAccessList", ...again }, sandbox.store);
  expect(second.accessList).toEqual(accessList);
  expect((await executeCall({ kind: "call", ...again }, sandbox.store)).result.gasUsed).toBe(result.gasUsed);
});

test.each<[string, Part[], number]>([
  ["reads and writes", [1, "SLOAD", "POP", 5, 2, "SSTORE", 7, 1, "SSTORE", "STOP"], 2],
  ["clears a slot and gets a refund", [0, 3, "SSTORE", "STOP"], 1],
  ["reverts", [1, "SLOAD", 0, "REVERT"], 1],
  ["reads its gas", [1, "SLOAD", "POP", "GAS", 4, "SSTORE", "STOP"], 2],
  ["writes in a static call, which fails", [0, 0, 0, 0, BigInt(other), "GAS", "STATICCALL", "POP", "STOP"], 1],
  ["runs out of gas", [1, "SLOAD", "POP", "JUMPDEST", 5, "JUMP"], 1],
])("eth_createAccessList returns the gas of a call with its list if the code %s", async (_does, parts, slots) => {
  const accounts = {
    [contract]: withCode(parts, { storage: { [toWord(3n)]: toWord(1n) } }),
    [other]: withCode([5, 6, "SSTORE", "STOP"]),
  };
  const sandbox = await createSandbox(accounts);
  const job = sandbox.toJob({ to: contract, gas: 200_000n });
  const { accessList, result } = await executeCreateAccessList({ kind: "createAccessList", ...job }, sandbox.store);
  expect(accessList.flatMap(({ storageKeys }) => storageKeys)).toHaveLength(slots);
  const listed = await executeCall({ kind: "call", ...job, call: { ...job.call, accessList } }, sandbox.store);
  expect(result).toEqual(listed.result);
});

const callTracer: TracerConfig = { tracer: "callTracer", onlyTopCall: false, withLog: true };

test("callTracer nests calls, creations, precompiles and calls that never ran, with logs only where they succeeded", async () => {
  const accounts = {
    [contract]: withCode([
      0,
      0,
      "LOG0",
      ...callTo(other),
      "POP",
      0,
      0,
      0,
      0,
      4,
      "GAS",
      "STATICCALL",
      "POP",
      ...callTo(bob, 1),
      "POP",
      0,
      0,
      0,
      "CREATE",
      "POP",
      7,
      0,
      0,
      "LOG1",
      "STOP",
    ]),
    [other]: withCode([0, 0, "LOG0", ...revertNo]),
  };
  const { trace, gasUsed } = await call(accounts, { gas: 1_000_000n, input: "0x1234" }, { tracer: callTracer });
  const frame = trace as { calls: Record<string, unknown>[] };
  expect(frame).toMatchObject({
    type: "CALL",
    from: alice,
    to: contract,
    gas: "0xf4240",
    gasUsed: `0x${gasUsed.toString(16)}`,
    input: "0x1234",
    value: "0x0",
    logs: [
      { address: contract, topics: [], data: "0x", position: "0x0", index: "0x0" },
      { address: contract, topics: [toWord(7n)], data: "0x", position: "0x4", index: "0x1" },
    ],
  });
  expect(frame).toHaveProperty("output", "0x");
  expect(frame).not.toHaveProperty("error");
  expect(frame.calls).toMatchObject([
    {
      type: "CALL",
      from: contract,
      to: other,
      error: "execution reverted",
      revertReason: "no",
      value: "0x0",
      logs: [],
    },
    { type: "STATICCALL", from: contract, to: `0x${"04".padStart(40, "0")}`, gasUsed: "0xf" },
    { type: "CALL", to: bob, value: "0x1", gasUsed: "0x0", error: "insufficient balance for transfer" },
    { type: "CREATE", from: contract, to: toCreateAddress(contract, 0n), gasUsed: "0x0", input: "0x", value: "0x0" },
  ]);
  expect(frame.calls[1]).not.toHaveProperty("value");
  const top = await call(
    accounts,
    { gas: 1_000_000n },
    { tracer: { ...callTracer, onlyTopCall: true, withLog: false } },
  );
  expect(top.trace).not.toHaveProperty("calls");
  expect(top.trace).not.toHaveProperty("logs");
});

test("the first call that needs a curve waits for its library, and is traced only once", async () => {
  const addition: Address = `0x${"06".padStart(40, "0")}`;
  const accounts = { [contract]: withCode([...callTo(addition), ...returnTop]) };
  const { output, trace } = await call(accounts, { gas: 100_000n }, { tracer: callTracer });
  expect(output).toBe(toWord(1n));
  expect(trace).toMatchObject({ calls: [{ to: addition, gasUsed: "0x96", output: `0x${"00".repeat(64)}` }] });
});

test("callTracer reports the caller of a delegate call, no address for a failed creation, and self-destructs", async () => {
  const initCode = assemble("INVALID");
  const accounts = {
    [contract]: withCode(
      [
        0,
        0,
        0,
        0,
        BigInt(other),
        50_000,
        "DELEGATECALL",
        "POP",
        `0x60${initCode.slice(2)}`,
        0,
        "MSTORE",
        1,
        31,
        0,
        "CREATE",
        "POP",
        BigInt(bob),
        "SELFDESTRUCT",
      ],
      { balance: 3n },
    ),
    [other]: withCode(["STOP"]),
  };
  const { trace } = await call(accounts, { gas: 5_000_000n }, { tracer: callTracer });
  const { calls } = trace as { calls: Record<string, unknown>[] };
  expect(calls).toMatchObject([
    { type: "DELEGATECALL", from: contract, to: other, gas: "0xc350", value: "0x0" },
    { type: "CREATE", from: contract, input: initCode, error: "invalid opcode: INVALID" },
    { type: "SELFDESTRUCT", from: contract, to: bob, value: "0x3", gas: "0x0", gasUsed: "0x0", input: "0x" },
  ]);
  expect(calls[1]).not.toHaveProperty("to");
  expect(calls[1]!.gasUsed).toBe(calls[1]!.gas);
});

const prestate: TracerConfig = { tracer: "prestateTracer", diffMode: false, disableCode: false, disableStorage: false };

test("prestateTracer returns touched state from before the transaction; with diffMode, changed state before and after", async () => {
  const code: Part[] = [
    1,
    "SLOAD",
    "POP",
    2,
    "SLOAD",
    "POP",
    9,
    3,
    "SSTORE",
    0,
    4,
    "SSTORE",
    ...callTo(bob, 5),
    "STOP",
  ];
  const storage = { [toWord(1n)]: toWord(7n), [toWord(4n)]: toWord(8n) };
  const accounts = { [contract]: withCode(code, { balance: 50n, nonce: 1n, storage }) };
  const bytecode: Hex = assemble(...code);
  const whole = await call(accounts, {}, { tracer: prestate });
  expect(whole.trace).toEqual({
    [alice]: { balance: "0xd3c21bcecceda1000000" },
    [bob]: { balance: "0x0" },
    [contract]: {
      balance: "0x32",
      nonce: 1,
      code: bytecode,
      storage: {
        [toWord(1n)]: toWord(7n),
        [toWord(2n)]: toWord(0n),
        [toWord(3n)]: toWord(0n),
        [toWord(4n)]: toWord(8n),
      },
    },
    [coinbase]: { balance: "0x0" },
  });
  const diff = await call(accounts, {}, { tracer: { ...prestate, diffMode: true } });
  expect(diff.trace).toEqual({
    pre: {
      [alice]: { balance: "0xd3c21bcecceda1000000" },
      [contract]: { balance: "0x32", nonce: 1, code: bytecode, storage: { [toWord(4n)]: toWord(8n) } },
    },
    post: {
      [alice]: { nonce: 1 },
      [bob]: { balance: "0x5" },
      [contract]: { balance: "0x2d", storage: { [toWord(3n)]: toWord(9n) } },
    },
  });
  const bare = await call(accounts, {}, { tracer: { ...prestate, disableCode: true, disableStorage: true } });
  expect((bare.trace as Record<Address, unknown>)[contract]).toEqual({ balance: "0x32", nonce: 1 });
});

test("prestateTracer omits a created contract from the prestate", async () => {
  const created = toCreateAddress(alice, 0n);
  const message = { to: undefined, input: assemble(5, 1, "SSTORE", 1, 0, "RETURN") } as never;
  expect((await call({}, message, { tracer: prestate })).trace).not.toHaveProperty(created);
  const { trace } = await call({}, message, { tracer: { ...prestate, diffMode: true } });
  const { pre, post } = trace as { pre: object; post: Record<Address, unknown> };
  expect(pre).not.toHaveProperty(created);
  expect(post[created]).toEqual({ nonce: 1, code: "0x00", storage: { [toWord(1n)]: toWord(5n) } });
});

/** Code that repeats 40 times: a call with 64 bytes, a 32-byte log and a write to a new slot. */
const busy: Part[] = [
  40,
  "JUMPDEST",
  "0x80",
  "0x80",
  "SSTORE",
  32,
  0,
  "LOG0",
  0,
  0,
  64,
  0,
  0,
  BigInt(other),
  "GAS",
  "CALL",
  "POP",
  1,
  "0x90",
  "0x03",
  "0x80",
  2,
  "JUMPI",
  "STOP",
];
const structLog: TracerConfig = {
  tracer: "structLog",
  enableMemory: true,
  disableStack: false,
  disableStorage: false,
  enableReturnData: true,
  limit: 0,
};

test.each<[string, TracerConfig]>([
  ["callTracer", callTracer],
  ["prestateTracer", prestate],
  ["structLog", structLog],
])("%s fails once its trace exceeds the byte limit, but not before", async (_, tracer) => {
  const accounts = { [contract]: withCode(busy), [other]: withCode(["STOP"]) };
  const whole = await call(accounts, { gas: 3_000_000n }, { tracer });
  expect(whole.failure).toBeUndefined();
  const { length } = JSON.stringify(whole.trace);
  const sandbox = await createSandbox(accounts);
  const within = (traceBytes: number) =>
    executeCall(
      { kind: "call", ...sandbox.toJob({ to: contract, gas: 3_000_000n }), tracer, traceBytes },
      sandbox.store,
    );
  expect((await within(length)).result.trace).toEqual(whole.trace);
  await expect(within(Math.floor(length / 2))).rejects.toThrow(TraceTooLargeError);
});

test("a trace of only the top call omits all subcalls", async () => {
  const accounts = { [contract]: withCode(busy), [other]: withCode([0, 0, "LOG0", "STOP"]) };
  const top: TracerConfig = { ...callTracer, onlyTopCall: true };
  const { trace } = await call(accounts, { gas: 3_000_000n }, { tracer: top });
  const { logs } = trace as { logs: { position: string; index: string }[] };
  // As in geth, a log's position doesn't count the omitted calls, but its index counts their logs.
  expect(logs).toHaveLength(40);
  expect(logs[2]).toMatchObject({ position: "0x0", index: "0x4" });
  const { length } = JSON.stringify(trace);
  const sandbox = await createSandbox(accounts);
  const job = { ...sandbox.toJob({ to: contract, gas: 3_000_000n }), tracer: top, traceBytes: length };
  expect((await executeCall({ kind: "call", ...job }, sandbox.store)).result.trace).toEqual(trace);
});
