/**
 * EIP-7702 delegations: an account whose code is 0xef0100 followed by an address runs the code at that address.
 */
import { concat, toBytes } from "@/server/ethereum/codec/bytes";
import type { Address } from "@/server/ethereum/types";

const prefix = Uint8Array.of(0xef, 0x01, 0x00);

/** The code of an account that delegates to the address. */
export function toDelegation(address: Address): Uint8Array {
  return concat(prefix, toBytes(address));
}

/** Whether the code is a delegation. An account with a delegation may still send transactions. */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && prefix.every((byte, index) => code[index] === byte);
}
