/**
 * P256VERIFY at 0x0100 (EIP-7951): returns the number one as a word if a secp256r1 signature is valid, and no bytes
 * otherwise. It fails only if it runs out of gas.
 */
import { p256 } from "@noble/curves/nist.js";
import { curveWeight, noBytes, priced, toFixedBytes } from "@/server/evm/precompiles/result";

const inputBytes = 160;
const uncompressed = 4;

/** Input: hash, r, s, and the key's x and y, 32 bytes each. s may be in either half. */
export const p256Verify = priced(
  () => 6_900n,
  (input) => {
    if (input.length !== inputBytes) return noBytes;
    const key = new Uint8Array(65);
    key[0] = uncompressed;
    key.set(input.subarray(96), 1);
    return isSignatureValid(input.subarray(32, 96), input.subarray(0, 32), key) ? toFixedBytes(1n, 32) : noBytes;
  },
  curveWeight,
);

/** The library throws if r or s is out of range or the key isn't a point on the curve. */
function isSignatureValid(signature: Uint8Array, hash: Uint8Array, key: Uint8Array): boolean {
  try {
    return p256.verify(signature, hash, key, { lowS: false, prehash: false });
  } catch {
    return false;
  }
}
