/** Runs every possible byte as an opcode, under every fork, and compares its behavior with the opcode table in lib. */
import { expect, test } from "vitest";
import { findOpcode, opcodes } from "@/lib/opcodes";
import type { ForkName } from "@/server/ethereum/spec";
import type { Address, Hex } from "@/server/ethereum/types";
import { evmForks } from "@/server/evm/rules";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import { executeCall } from "@/server/execution/call";
import { toForkSpec } from "@/server/execution/testing/ownEvm";
import { createSandbox } from "@/server/execution/testing/sandbox";

const contract: Address = `0x${"c0".repeat(20)}`;
const tracer: TracerConfig = {
  tracer: "structLog",
  enableMemory: false,
  disableStack: false,
  disableStorage: true,
  enableReturnData: false,
  limit: 0,
};
type StructLog = { pc: number; gasCost: number; depth: number; stack: Hex[] };

/**
 * Puts a jump destination at offset zero and expands memory to one word, so that an opcode whose operands are all zero
 * costs nothing extra.
 */
const prologue = "5b60005150";

/**
 * Runs the opcode with this many zeros on the stack. Returns the opcode's step, the next step, and the run's failure.
 */
async function runOpcode(byte: number, zeros: number, fork: ForkName) {
  const code: Hex = `0x${prologue}${"6000".repeat(zeros)}${byte.toString(16).padStart(2, "0")}${"00".repeat(40)}`;
  const sandbox = await createSandbox({ [contract]: { balance: 0n, code } }, toForkSpec(fork));
  const job = sandbox.toJob({ to: contract, gas: 100_000n });
  const { result } = await executeCall({ kind: "call", ...job, tracer }, sandbox.store);
  const { structLogs } = result.trace as { structLogs: StructLog[] };
  const pc = prologue.length / 2 + 2 * zeros;
  const at = structLogs.findIndex((log) => log.pc === pc);
  return { pc, step: structLogs[at], next: structLogs[at + 1], failure: result.failure?.message };
}

test.each(evmForks)("the machine runs exactly the opcodes that the table lists for %s", async (fork) => {
  for (let byte = 0; byte < 256; byte++) {
    const opcode = findOpcode(byte);
    const about = `${fork}, ${opcode?.name ?? byte}`;
    if (!opcode || byte === opcodes.INVALID || evmForks.indexOf(opcode.since) > evmForks.indexOf(fork)) {
      expect((await runOpcode(byte, 7, fork)).failure, about).toMatch("invalid opcode");
      continue;
    }
    const { pops, pushes, gas, immediateBytes } = opcode;
    const { pc, step, next, failure } = await runOpcode(byte, pops, fork);
    // With a destination of zero, JUMP loops until the gas is used up.
    const failures = new Map([
      [opcodes.JUMP, "out of gas"],
      [opcodes.REVERT, "execution reverted"],
    ]);
    expect(failure, about).toBe(failures.get(byte));
    if (gas > 0) expect(step?.gasCost, about).toBe(gas);
    if (next) expect(next.stack.length, about).toBe(pushes);
    if (next) expect(next.pc, about).toBe(byte === opcodes.JUMP ? 0 : pc + 1 + immediateBytes);
    if (pops > 0) expect((await runOpcode(byte, pops - 1, fork)).failure, about).toBe("stack underflow");
  }
});
