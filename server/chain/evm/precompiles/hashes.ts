/**
 * Precompiles 0x01 to 0x04, which every fork has: ecrecover, SHA-256, RIPEMD-160 and identity (Yellow Paper,
 * appendix E). They take any input, and ecrecover answers nothing rather than failing.
 */
import { createHash } from "node:crypto";
import { ripemd160 as hashRipemd160 } from "@noble/hashes/legacy.js";
import { keccak } from "@/server/chain/codec/hash";
import { findPublicKey } from "@/server/chain/codec/signature";
import { isZero, noBytes, priced, slicePadded } from "@/server/chain/evm/precompiles/result";

const perWord = (base: bigint, word: bigint) => (inputBytes: number) => base + word * BigInt((inputBytes + 31) >>> 5);

/** Input: hash, v, r, s of 32 bytes each. Unlike a transaction's, an s in the upper half is fine (EIP-2 leaves it). */
export const ecrecover = priced(
  () => 3_000n,
  (input) => {
    const data = slicePadded(input, 0, 128);
    const v = data[63];
    if ((v !== 27 && v !== 28) || !isZero(data.subarray(32, 63))) return noBytes;
    const key = findPublicKey(data.subarray(0, 32), data.subarray(64, 128), v === 27 ? 0 : 1);
    return key ? padLeft(keccak(key).subarray(12)) : noBytes;
  },
);

export const sha256 = priced(perWord(60n, 12n), (input) => {
  const digest = createHash("sha256").update(input).digest();
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
});

export const ripemd160 = priced(perWord(600n, 120n), (input) => padLeft(hashRipemd160(input)));

export const identity = priced(perWord(15n, 3n), (input) => input.slice());

/** 20 bytes as a word. */
function padLeft(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes, 32 - bytes.length);
  return word;
}
