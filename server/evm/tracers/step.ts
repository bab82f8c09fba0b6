/**
 * Reads the machine's step event: the state of a frame before its next opcode runs.
 */
import { toHex, toWord } from "@/server/ethereum/codec/bytes";
import type { Address, Hex } from "@/server/ethereum/types";
import type { Step } from "@/server/evm/listener";

/** The most memory that a trace includes: no block pays for more. */
const maxBytes = 2n ** 24n;

/**
 * Memory as the opcode will see it: zeros beyond what the frame has used. Empty if no gas limit could ever pay for it.
 */
export function readMemory(step: Step, offset: bigint, length: bigint): Hex {
  if (length === 0n || offset + length > maxBytes) return "0x";
  return toHex(step.memory(Number(offset), Number(length)));
}

export const opcode = {
  balance: 0x31,
  extCodeSize: 0x3b,
  extCodeCopy: 0x3c,
  extCodeHash: 0x3f,
  sload: 0x54,
  sstore: 0x55,
  log0: 0xa0,
  log4: 0xa4,
  create: 0xf0,
  call: 0xf1,
  callCode: 0xf2,
  delegateCall: 0xf4,
  create2: 0xf5,
  staticCall: 0xfa,
  selfDestruct: 0xff,
} as const;

/** Opcodes that name an account on top of the stack, and those that call the second word. */
export const touchingOpcodes: ReadonlySet<number> = new Set([
  opcode.balance,
  opcode.extCodeSize,
  opcode.extCodeCopy,
  opcode.extCodeHash,
  opcode.selfDestruct,
]);
export const callingOpcodes: ReadonlySet<number> = new Set([
  opcode.call,
  opcode.callCode,
  opcode.delegateCall,
  opcode.staticCall,
]);

/** The address in the low 160 bits of a word. */
export function toAddress(word: bigint): Address {
  return `0x${toWord(word).slice(26)}`;
}
