/**
 * Tests the parts of the compiler that the fuzzer rarely reaches: its limits, opcodes that it leaves to the
 * interpreter, and loops that a run enters halfway.
 */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Address, Hex } from "@/server/ethereum/types";
import { findBlocks } from "@/server/evm/tier/blocks";
import { compileCode } from "@/server/evm/tier/compileCode";
import { TooLargeError } from "@/server/evm/tier/emitter";
import { compileAtOnce, noTier, type TierLimits, usualLimits } from "@/server/evm/tier/tier";
import { executeCall } from "@/server/execution/call";
import { listCompiled, setTier } from "@/server/execution/engine";
import { assemble, callTo, type Part, returnTop } from "@/server/execution/testing/assemble";
import { createSandbox } from "@/server/execution/testing/sandbox";

const contract: Address = `0x${"c0".repeat(20)}`;
const osaka = 14;

beforeEach(() => setTier({ ...noTier, count: 0 }));
afterAll(() => setTier(usualLimits));

async function run(code: Hex, limits: TierLimits, gas = 100_000_000n, input: Hex = "0x") {
  setTier(limits);
  const sandbox = await createSandbox({ [contract]: { balance: 5n, code } });
  const { result } = await executeCall({ kind: "call", ...sandbox.toJob({ to: contract, gas, input }) }, sandbox.store);
  return result;
}

/** Code that adds the numbers from `count` down to one. */
function sumTo(count: number): Hex {
  const start = assemble(0, count, "JUMPDEST");
  const head = (start.length - 2) / 2 - 1;
  // sum, counter
  const body = assemble("DUP1", "0x91", "ADD", "0x90", 1, "0x90", "0x03", "DUP1", head, "JUMPI", "POP", ...returnTop);
  return `${start}${body.slice(2)}`;
}

describe("blocks", () => {
  const pcs = (code: Hex) => findBlocks(Buffer.from(code.slice(2), "hex"), osaka).map(({ pc }) => pc);

  test("begin at the start, at reachable jump destinations and after calls", () => {
    expect(pcs("0x5b5b00")).toEqual([0, 1]);
    // The JUMPDEST byte inside the PUSH is data. No block starts right after the STOP, because that code can't be
    // reached.
    expect(pcs("0x605b00015b00")).toEqual([0, 4]);
    expect(pcs("0x600060006000600060006000f15000")).toEqual([0, 13]);
    expect(pcs("0x60")).toEqual([0]);
  });

  test("are paid for up to the next opcode that may end the frame or read gas", () => {
    const code = Buffer.from("60015460025a0160035700", "hex");
    const [block] = findBlocks(code, osaka);
    // The segments are PUSH SLOAD | PUSH GAS | ADD PUSH JUMPI | STOP.
    expect(block!.segments.map(({ gas }) => gas)).toEqual([3, 5, 16, 0]);
    expect(block!.segments.at(-2)).toMatchObject({ need: 0, growth: 3 });
  });

  test("end at an opcode that the fork doesn't have", () => {
    const code = Buffer.from("5f5b", "hex");
    const kinds = (level: number) => findBlocks(code, level)[0]!.segments[0]!.instructions[0]!.opcode.kind;
    expect([kinds(10), kinds(11)]).toEqual(["unknown", "plain"]);
  });

  test("have a table of the places that jumps and frames can enter", () => {
    const { places } = compileCode(Buffer.from("5b600060006000600060006000f15b00", "hex"), osaka, 1 << 20);
    expect([places[0], places[1], places[14]]).toEqual([0, 0xffff, 1]);
  });
});

describe("the tier", () => {
  // Drops code that other test files in this worker compiled.
  beforeEach(() => setTier({ ...usualLimits, count: 0 }));

  test("enters a loop that has run for a long time, and ends as the interpreter does", async () => {
    const code = sumTo(200_000);
    const interpreted = await run(code, noTier);
    expect(listCompiled()).toMatchObject({ count: 0 });
    expect(await run(code, usualLimits)).toEqual(interpreted);
    expect(listCompiled()).toMatchObject({ count: 1, refused: 0 });
    expect(BigInt(interpreted.output)).toBe(20_000_100_000n);
  });

  test("ends at the same instruction as the interpreter for every gas limit", async () => {
    const code = sumTo(3);
    for (let gas = 21_000n; gas < 21_300n; gas++) {
      expect(await run(code, compileAtOnce, gas)).toEqual(await run(code, noTier, gas));
    }
  });

  test.each<[string, Part[]]>([
    ["too few words", [1, "ADD"]],
    ["too few words after a conditional jump", [1, 0, 0, "JUMPI", "POP", "ADD"]],
    ["too many words", [...Array.from({ length: 1_023 }, () => 0), "JUMPDEST", "GAS", "GAS"]],
    ["a jump into a push", [4, "JUMP", 0x5b, "STOP"]],
    ["a jump beyond the end", [0xffff, "JUMP"]],
    ["a computed jump to an invalid destination", ["GAS", "JUMP"]],
    ["a jump to a destination wider than 64 bits", [1n << 64n, "GAS", "ADD", "JUMP"]],
    ["an undefined opcode", [1, "0x0c"]],
    ["memory that no gas limit pays for", [1, 1n << 40n, "MSTORE"]],
    ["memory beyond the gas limit", [1, 0x3f_0000, "MSTORE"]],
    ["a revert with data", [7, 0, "MSTORE", 32, 0, "REVERT"]],
    ["a recursive call that uses up the gas", [...callTo(contract), ...returnTop]],
    ["code that runs past its end", [1, 2, "ADD"]],
    ["a truncated push", ["0x7f11"]],
  ])("ends as the interpreter does for %s", async (_, parts) => {
    const code = assemble(...parts);
    for (const gas of [30_000n, 1_000_000n]) {
      expect(await run(code, compileAtOnce, gas)).toEqual(await run(code, noTier, gas));
      expect(listCompiled()!.refused).toBe(0);
    }
  });

  test("leaves init code to the interpreter", async () => {
    // Creates 20 contracts. Each has different init code and deploys no code.
    const parts = Array.from({ length: 20 }, (_, index): Part[] => [
      0x5b00 + index,
      0,
      "MSTORE",
      2,
      30,
      0,
      "CREATE",
      "POP",
    ]);
    await run(assemble(...parts.flat()), compileAtOnce);
    expect(listCompiled()).toMatchObject({ count: 1 });
  });

  test("stays within its limits and reuses slots of the function table", async () => {
    const limits = { ...compileAtOnce, count: 3 };
    const { slots } = listCompiled()!;
    for (let value = 1; value <= 20; value++) {
      const { output } = await run(assemble(value, ...returnTop), limits);
      expect(BigInt(output)).toBe(BigInt(value));
      expect(listCompiled()!.count).toBeLessThanOrEqual(3);
    }
    expect(listCompiled()!.slots).toBeLessThanOrEqual(Math.max(slots, 3));
    const { bytes } = listCompiled()!;
    await run(assemble(21, ...returnTop), { ...compileAtOnce, totalBytes: bytes - 1 });
    expect(listCompiled()!.bytes).toBeLessThan(bytes);
  });

  test("interprets code whose module would be too large, after trying to compile it once", async () => {
    const limits = { ...compileAtOnce, moduleBytes: 100 };
    const code = assemble(1, ...returnTop);
    for (let i = 0; i < 3; i++) expect(BigInt((await run(code, limits)).output)).toBe(1n);
    expect(listCompiled()).toMatchObject({ count: 0, refused: 1 });
  });

  test("compiles different code for another fork", () => {
    const compile = (level: number) => compileCode(Buffer.from("5f5ff3", "hex"), level, 1 << 20).module;
    expect(compile(10)).not.toEqual(compile(11));
  });

  test.each<[string, string]>([
    ["only jump destinations", "5b"],
    ["many blocks", "6000355b"],
    ["a thousand words before every conditional jump", `${"36".repeat(1_000)}${"5a600057".repeat(100)}`],
    ["much arithmetic", "60003560203502"],
  ])("rejects code with %s if the compiled module would be too large", (_, hex) => {
    const code = Buffer.from(hex.repeat(Math.ceil(49_152 / hex.length)).slice(0, 49_152), "hex");
    expect(() => compileCode(code, osaka, 1 << 19)).toThrow(TooLargeError);
  });
});
