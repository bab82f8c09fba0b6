/**
 * Addresses of created contracts.
 */

import { encodeRlp } from "@/lib/rlp";
import { toBytes, toHex, toScalar } from "@/server/chain/codec/bytes";
import { keccak } from "@/server/chain/codec/hash";
import type { Address } from "@/server/chain/types";

/** Where CREATE, or a transaction without recipient, puts its contract: it follows from the creator and its nonce. */
export function toCreateAddress(creator: Address, nonce: bigint): Address {
  return toHex(keccak(encodeRlp([toBytes(creator), toScalar(nonce)])).subarray(12));
}
