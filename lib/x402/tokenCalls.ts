/** Calldata for the few token and Permit2 functions that a payer needs, without an ABI library. */
import type { Hex } from "@/lib/x402/types";

/** The first four bytes of the keccak256 hash of each function's signature. */
const selectors = {
  balanceOf: "0x70a08231",
  allowance: "0xdd62ed3e",
  approve: "0x095ea7b3",
  transfer: "0xa9059cbb",
  nonces: "0x7ecebe00",
  name: "0x06fdde03",
  version: "0x54fd4d50",
  DOMAIN_SEPARATOR: "0x3644e515",
  authorizationState: "0xe94a0102",
  nonceBitmap: "0x4fe02b44",
} as const;

/** Each argument is a number, or a hex string with an address or 32 bytes. */
export function toCalldata(name: keyof typeof selectors, ...args: readonly (string | bigint)[]): Hex {
  return `${selectors[name]}${args.map(toWord).join("")}`;
}

/** Encodes a value as 32 bytes of hex without 0x. */
function toWord(value: string | bigint): string {
  const digits = typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase();
  return digits.padStart(64, "0");
}
