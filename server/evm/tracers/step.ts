/** Helpers for reading the machine's step event, which shows the state of a frame before its next opcode runs. */
import { findOpcode, opcodes } from "@/lib/opcodes";
import { toHex, toWord } from "@/server/ethereum/codec/bytes";
import type { Address, Hex } from "@/server/ethereum/types";
import type { Step } from "@/server/evm/listener";

/** A trace doesn't show memory beyond this many bytes, because no block can pay for more. */
const maxBytes = 2n ** 24n;

/**
 * The memory that the opcode sees, with zeros beyond the used memory. Empty if no gas limit could pay for that much
 * memory.
 */
export function readMemory(step: Step, offset: bigint, length: bigint): Hex {
  if (length === 0n || offset + length > maxBytes) return "0x";
  return toHex(step.memory(Number(offset), Number(length)));
}

/**
 * Opcodes whose first stack operand is an account's address. `callingOpcodes` call the account in their second operand.
 */
export const touchingOpcodes: ReadonlySet<number> = new Set([
  opcodes.BALANCE,
  opcodes.EXTCODESIZE,
  opcodes.EXTCODECOPY,
  opcodes.EXTCODEHASH,
  opcodes.SELFDESTRUCT,
]);
export const callingOpcodes: ReadonlySet<number> = new Set([
  opcodes.CALL,
  opcodes.CALLCODE,
  opcodes.DELEGATECALL,
  opcodes.STATICCALL,
]);

/** geth's name for an opcode, even if the fork lacks it. */
export function toGethName(op: number): string {
  if (op === opcodes.PREVRANDAO) return "DIFFICULTY";
  return findOpcode(op)?.name ?? `opcode 0x${op.toString(16)} not defined`;
}

/** The address in the low 160 bits of a word. */
export function toAddress(word: bigint): Address {
  return `0x${toWord(word).slice(26)}`;
}
