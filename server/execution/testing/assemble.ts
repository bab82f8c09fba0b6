/**
 * For tests: assembles EVM code from opcode names, numbers and hex strings. A number becomes a push; a hex string is
 * inserted unchanged.
 */
import { opcodes } from "@/lib/opcodes";
import type { Hex } from "@/server/ethereum/types";

const bytes = { ...opcodes, DUP1: 0x80 };

export type Part = keyof typeof bytes | number | bigint | Hex;

export function assemble(...parts: Part[]): Hex {
  return `0x${parts.map(toCode).join("")}`;
}

function toCode(part: Part): string {
  if (typeof part === "number" || typeof part === "bigint") {
    const digits = part.toString(16);
    const whole = digits.length % 2 === 0 ? digits : `0${digits}`;
    return (0x5f + whole.length / 2).toString(16) + whole;
  }
  if (part.startsWith("0x")) return part.slice(2);
  return bytes[part as keyof typeof bytes].toString(16).padStart(2, "0");
}

/** Code that returns the top word of the stack. */
export const returnTop: Part[] = [0, "MSTORE", 32, 0, "RETURN"];

/** Code that calls an address with this value and no data, and leaves the success flag on the stack. */
export function callTo(address: Hex, value = 0, gas: number | "GAS" = "GAS"): Part[] {
  return [0, 0, 0, 0, value, BigInt(address), gas, "CALL"];
}
