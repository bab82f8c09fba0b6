/**
 * For tests: EVM code from opcode names and numbers. A number is pushed; a hex string is put in as it is.
 */
import type { Hex } from "@/server/ethereum/types";

const opcodes = {
  STOP: 0x00,
  ADD: 0x01,
  LT: 0x10,
  EXP: 0x0a,
  ISZERO: 0x15,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  BASEFEE: 0x48,
  BLOCKHASH: 0x40,
  NUMBER: 0x43,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  LOG0: 0xa0,
  LOG1: 0xa1,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const;

export type Part = keyof typeof opcodes | number | bigint | Hex;

export function assemble(...parts: Part[]): Hex {
  return `0x${parts.map(toCode).join("")}`;
}

function toCode(part: Part): string {
  if (typeof part === "number" || typeof part === "bigint") {
    const digits = part.toString(16);
    const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
    return (0x5f + bytes.length / 2).toString(16) + bytes;
  }
  if (part.startsWith("0x")) return part.slice(2);
  return opcodes[part as keyof typeof opcodes].toString(16).padStart(2, "0");
}

/** Code that returns the word on top of the stack. */
export const returnTop: Part[] = [0, "MSTORE", 32, 0, "RETURN"];

/** A call of so much value to an address with no data; leaves its success on the stack. */
export function callTo(address: Hex, value = 0, gas: number | "GAS" = "GAS"): Part[] {
  return [0, 0, 0, 0, value, BigInt(address), gas, "CALL"];
}
