/** Tests that budgets don't change a run's result, and that no run exceeds its budget by much. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { untilComplete } from "@/server/ethereum/pending";
import type { Address, Hex } from "@/server/ethereum/types";
import type { Budget } from "@/server/evm/budget";
import { atState, runCall, toMessage } from "@/server/execution/call";
import { assemble, callTo, type Part } from "@/server/execution/testing/assemble";
import { toText } from "@/server/execution/testing/evmCase";
import { fuzzCase } from "@/server/execution/testing/fuzzCases";
import { stringifyCase } from "@/server/execution/testing/fuzzEvm";
import { runOwn } from "@/server/execution/testing/ownEvm";
import { createSandbox } from "@/server/execution/testing/sandbox";
import type { StateReader } from "@/server/ports/store";

const contract: Address = `0x${"c0".repeat(20)}`;
const other: Address = `0x${"0c".repeat(20)}`;
const maxGas = 10n ** 12n;

/** Creates a budget of a fixed number of units. */
function createPurse(units: number): Budget & { left(): number } {
  let left = units;
  return {
    take() {
      if (left <= 0) throw new Error("spent");
      const given = left;
      left = 0;
      return given;
    },
    giveBack(rest) {
      left += rest;
    },
    left: () => left,
  };
}

test("gives a run the same outcome if it requests more budget at every opportunity", { timeout: 120_000 }, async () => {
  let asked = 0;
  const always: Budget = {
    take: () => {
      asked++;
      return 1;
    },
    giveBack: () => {},
  };
  await fc.assert(
    fc.asyncProperty(fuzzCase, async (evmCase) => {
      const expected = toText(await runOwn(evmCase));
      expect(toText(await runOwn(evmCase, always)), stringifyCase(evmCase)).toBe(expected);
    }),
    { numRuns: 400, seed: 8 },
  );
  expect(asked).toBeGreaterThan(4_000);
});

const repeat = (times: number, ...parts: Part[]): Hex =>
  `0x${assemble(...parts)
    .slice(2)
    .repeat(times)}`;
const endless = (...parts: Part[]): Hex => `0x5b${assemble(...parts, 0, "JUMP").slice(2)}`;
const precompile = (number: number): Address => `0x${number.toString(16).padStart(40, "0")}`;
/** Calls the address with this many bytes of zeroed memory as input. */
const callWith = (to: Address, bytes: number): Part[] => [0, 0, bytes, 0, 0, BigInt(to), "GAS", "CALL", "POP"];

/** Code that runs until it's out of gas. Each case is named after its most expensive operation. */
const dear: [string, Hex][] = [
  ["a loop", endless()],
  ["consecutive hashes of as much memory as the gas pays for", repeat(4_000, 0xffffff, 0, "KECCAK256", "POP")],
  ["consecutive hashes", repeat(4_000, 0x10000, 0, "KECCAK256", "POP")],
  ["consecutive copies", repeat(4_000, 0x10000, 0, 0, "CALLDATACOPY")],
  ["consecutive powers", repeat(6_000, 2n ** 255n, "DUP1", "EXP", "POP")],
  ["consecutive logs", repeat(4_000, 0x1000, 0, "LOG0")],
  [
    "gradually growing memory",
    repeat(1, ...Array.from({ length: 3_000 }, (_, at) => [0, 4_096 * at, "MSTORE"] as Part[]).flat()),
  ],
  ["slots", endless("GAS", "SLOAD", "POP")],
  ["consecutive slots", repeat(6_000, "GAS", "SLOAD", "POP")],
  ["accounts", endless("GAS", "BALANCE", "POP")],
  ["stores", endless(1, "GAS", "SSTORE")],
  ["calls to an empty account", endless(...callTo(other), "POP")],
  ["recursive calls", assemble(...callTo(contract), ...callTo(contract))],
  ["creations", endless(0, 0, 0, "CREATE", "POP")],
  ["recovered signers", endless(...callWith(precompile(1), 128))],
  ["hashed inputs", endless(...callWith(precompile(2), 4_096))],
  ["modexp calls", endless(...callWith(precompile(5), 96))],
  ["pairings of BLS12-381", endless(...callWith(precompile(15), 384))],
  ["additions on bn254", endless(...callWith(precompile(6), 128))],
];

test.each(dear)("stops a run of %s when its budget is spent", async (_, code) => {
  const units = 100_000;
  const sandbox = await createSandbox({ [contract]: { balance: 0n, code } });
  let reads = 0;
  const source = sandbox.store.reads;
  const counted: StateReader = {
    ...source,
    findAccount: (...query) => {
      reads++;
      return source.findAccount(...query);
    },
    findSlot: (...query) => {
      reads++;
      return source.findSlot(...query);
    },
  };
  const store = { ...sandbox.store, reads: counted };
  const job = { kind: "call", ...sandbox.toJob({ to: contract, gas: maxGas }) } as const;
  let steps = 0;
  let memory = 0;
  const count = (isTraced: boolean) =>
    atState(job, store, createPurse(units), (engine) => {
      if (isTraced) {
        engine.listener = {
          watch: "all",
          begin: () => {},
          step: ({ memoryBytes }) => {
            steps++;
            memory = Math.max(memory, memoryBytes);
          },
        };
      }
      return untilComplete(() => runCall(engine, toMessage(job.call)));
    });
  await expect(count(false)).rejects.toThrow("spent");
  // Each read takes at least five microseconds, which is about 500 units.
  expect(reads).toBeLessThan(units / 500 + 10);
  await expect(count(true)).rejects.toThrow("spent");
  // An opcode takes at least one unit. Between two checks, at most the code of one contract runs.
  expect(steps).toBeLessThan(units + 24_576);
  // Memory of n words costs 3n + n² / 512, so the units pay for less than 210,000 bytes.
  expect(memory).toBeLessThan(210_000);
});

test("returns a run's unused budget to the next run", async () => {
  const sandbox = await createSandbox({ [contract]: { balance: 0n, code: repeat(100, 1, "POP") } });
  const job = { kind: "call", ...sandbox.toJob({ to: contract }) } as const;
  const purse = createPurse(100_000);
  await atState(job, sandbox.store, purse, async (engine) => {
    // Only the first run loads the code into the machine.
    runCall(engine, toMessage(job.call));
    const first = purse.left();
    runCall(engine, toMessage(job.call));
    const second = purse.left();
    runCall(engine, toMessage(job.call));
    expect(first).toBeLessThan(100_000 - 500);
    expect(second - purse.left()).toBe(first - second);
  });
});
