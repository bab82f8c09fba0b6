/**
 * Keccak-256 and the constants that follow from it.
 */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { toHex } from "@/server/chain/codec/bytes";
import type { Hash } from "@/server/chain/types";

export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

export function keccakHex(bytes: Uint8Array): Hash {
  return toHex(keccak_256(bytes));
}

/** Keccak of no bytes: the code hash of an account without code. */
export const emptyCodeHash: Hash = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
/** Root of a trie without entries: keccak of RLP's empty string. */
export const emptyTrieRoot: Hash = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
/** Keccak of RLP's empty list. */
export const emptyOmmersHash: Hash = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
