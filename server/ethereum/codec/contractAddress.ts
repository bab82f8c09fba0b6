/**
 * Addresses of created contracts.
 */

import { encodeRlp } from "@/lib/rlp";
import { toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import type { Address } from "@/server/ethereum/types";

/**
 * The address of a contract created by CREATE or by a transaction without a recipient, from its creator's address and
 * nonce.
 */
export function toCreateAddress(creator: Address, nonce: bigint): Address {
  return toHex(keccak(encodeRlp([toBytes(creator), toScalar(nonce)])).subarray(12));
}
