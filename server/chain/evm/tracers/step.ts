/**
 * Reads the engine's step event: the state of a frame before its next opcode runs.
 */
import type { InterpreterStep } from "@ethereumjs/evm";
import { toHex } from "@/server/chain/codec/bytes";
import type { Engine } from "@/server/chain/evm/engine";
import type { Hex } from "@/server/chain/types";

/** A word so many places below the top of the stack; zero where the stack is too short, as the opcode then fails. */
export function fromStack(step: InterpreterStep, place: number): bigint {
  return step.stack.at(-1 - place) ?? 0n;
}

/** Longest piece of memory a trace repeats: no block pays for more. */
const maxBytes = 2n ** 24n;

/** Memory as the opcode will see it: zero beyond what the frame has used. Empty where gas can never pay for it. */
export function readMemory(step: InterpreterStep, offset: bigint, length: bigint): Hex {
  if (length === 0n || offset + length > maxBytes) return "0x";
  const bytes = new Uint8Array(Number(length));
  bytes.set(step.memory.subarray(Number(offset), Number(offset + length)));
  return toHex(bytes);
}

const callOpcodes = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa]);

/** CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2 and STATICCALL. */
export function isCallOpcode(code: number): boolean {
  return callOpcodes.has(code);
}

/** Words that the opcodes about accounts and storage take. */
const inputs = new Map(
  Object.entries({
    BALANCE: 1,
    EXTCODESIZE: 1,
    EXTCODECOPY: 4,
    EXTCODEHASH: 1,
    SELFDESTRUCT: 1,
    SLOAD: 1,
    SSTORE: 2,
  }).concat(Object.entries({ CALL: 7, CALLCODE: 7, DELEGATECALL: 6, STATICCALL: 6, CREATE: 3, CREATE2: 4 })),
);
/** EIP-2200: a store with no more gas left than this fails. */
const storeSentry = 2_300n;

/** Whether an opcode about accounts or storage gets to run: an opcode that fails before it has touched nothing. */
export function canRun(engine: Engine, step: InterpreterStep): boolean {
  const { name, dynamicFee } = step.opcode;
  if (step.stack.length < (inputs.get(name) ?? 0) || step.gasLeft < (dynamicFee ?? 0n)) return false;
  return name !== "SSTORE" || !engine.has("istanbul") || step.gasLeft > storeSentry;
}

/** Gas that a call opcode gives the frame it opens, without the stipend: from EIP-150 at most all but a 64th. */
export function toForwardedGas(engine: Engine, step: InterpreterStep, code: number): bigint {
  const left = step.gasLeft - (step.opcode.dynamicFee ?? 0n);
  if (left < 0n) return 0n;
  const isCreate = code === 0xf0 || code === 0xf5;
  const requested = isCreate ? left : fromStack(step, 0);
  const most = engine.has("tangerineWhistle") ? left - left / 64n : left;
  return requested < most ? requested : most;
}

/** Hex without leading zeros. */
export function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
