/**
 * Addresses of created contracts.
 */

import { encodeRlp } from "@/lib/rlp";
import { toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import type { Address } from "@/server/ethereum/types";

/** Where CREATE, or a transaction without recipient, puts its contract: it follows from the creator and its nonce. */
export function toCreateAddress(creator: Address, nonce: bigint): Address {
  return toHex(keccak(encodeRlp([toBytes(creator), toScalar(nonce)])).subarray(12));
}
