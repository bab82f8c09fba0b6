/**
 * Precompiles 0x01 to 0x04, which every fork has: ecrecover, SHA-256, RIPEMD-160 and identity (Yellow Paper, appendix
 * E). They accept any input: if ecrecover finds no signer, it returns nothing instead of failing.
 */
import { createHash } from "node:crypto";
import { ripemd160 as hashRipemd160 } from "@noble/hashes/legacy.js";
import { keccak } from "@/server/ethereum/codec/hash";
import { findPublicKey } from "@/server/ethereum/codec/signature";
import { isZero, noBytes, outOfGas, type Precompile, priced, slicePadded } from "@/server/evm/precompiles/result";

const perWord = (base: bigint, word: bigint) => (inputBytes: number) => base + word * BigInt((inputBytes + 31) >>> 5);

const recoverGas = 3_000n;
const recoverUnits = 12_000;
/**
 * The maximum number of recovered signers to cache. A payment's signature is checked three times: when the payment is
 * simulated, when its gas is estimated, and when its block is built. An entry takes about 300 bytes.
 */
const maxSigners = 2_000;
/**
 * The signers that this thread has recovered, keyed by the 128 bytes of input. When this map is full, it becomes
 * `olderSigners` and a new map is started. That is faster than deleting entries one by one.
 */
let signers = new Map<string, Uint8Array>();
let olderSigners = signers;

/**
 * The input contains hash, v, r and s, with 32 bytes each. Unlike in a transaction, s may be in the upper half (EIP-2
 * doesn't apply).
 */
export const ecrecover: Precompile = (input, gasLimit, spend) => {
  if (recoverGas > gasLimit) return outOfGas;
  const data = slicePadded(input, 0, 128);
  const v = data[63];
  if ((v !== 27 && v !== 28) || !isZero(data.subarray(32, 63))) return { gasUsed: recoverGas, output: noBytes };
  const name = Buffer.from(data.buffer, data.byteOffset, 128).toString("latin1");
  let signer = signers.get(name) ?? olderSigners.get(name);
  if (!signer) {
    spend?.(recoverUnits);
    const key = findPublicKey(data.subarray(0, 32), data.subarray(64, 128), v === 27 ? 0 : 1);
    signer = key ? padLeft(keccak(key).subarray(12)) : noBytes;
    keepSigner(name, signer);
  }
  return { gasUsed: recoverGas, output: signer };
};

function keepSigner(name: string, signer: Uint8Array): void {
  if (signers.size >= maxSigners / 2) {
    olderSigners = signers;
    signers = new Map();
  }
  signers.set(name, signer);
}

export const sha256 = priced(
  perWord(60n, 12n),
  (input) => {
    const digest = createHash("sha256").update(input).digest();
    return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
  },
  2,
);

export const ripemd160 = priced(perWord(600n, 120n), (input) => padLeft(hashRipemd160(input)), 2);

export const identity = priced(perWord(15n, 3n), (input) => input.slice());

/** Pads 20 bytes to a word. */
function padLeft(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes, 32 - bytes.length);
  return word;
}
