import { encodeRlp } from "@/lib/rlp";
import { concat, toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import type { Address, Hash } from "@/server/ethereum/types";

/**
 * The address of a contract created by CREATE or by a transaction without a recipient, from its creator's address and
 * nonce.
 */
export function toCreateAddress(creator: Address, nonce: bigint): Address {
  return toHex(keccak(encodeRlp([toBytes(creator), toScalar(nonce)])).subarray(12));
}

/** The address of a contract created by CREATE2 (EIP-1014). */
export function toCreate2Address(creator: Address, salt: Hash, initCode: Uint8Array): Address {
  return toHex(keccak(concat(Uint8Array.of(0xff), toBytes(creator), toBytes(salt), keccak(initCode))).subarray(12));
}
