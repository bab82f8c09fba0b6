/**
 * Ethereum's secp256k1 signatures. Only a low s is valid (EIP-2), so that each signature has only one encoding.
 * libsecp256k1 in WebAssembly recovers keys nine times as fast as JavaScript.
 */
// Imported directly, because the package's index would also start four hash functions.
import { instantiateSecp256k1 } from "@bitauth/libauth/build/lib/crypto/secp256k1.js";
import { toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import type { Address } from "@/server/ethereum/types";

/** The order of the curve (SEC 2, section 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const halfOrder = order >> 1n;

const curve = await instantiateSecp256k1();

/** Signs a 32-byte hash; `s` is low. Throws if the private key is invalid. */
export function signHash(privateKey: Uint8Array, hash: Uint8Array): { r: Uint8Array; s: Uint8Array; yParity: 0 | 1 } {
  const signed = curve.signMessageHashRecoverableCompact(privateKey, hash);
  // The library returns an error as a string.
  if (typeof signed === "string") throw new Error(signed);
  const { recoveryId, signature } = signed;
  return { r: signature.subarray(0, 32), s: signature.subarray(32), yParity: recoveryId === 0 ? 0 : 1 };
}

/** The address whose key signed the 32-byte hash, or undefined if no key could have made the signature. */
export function findSigner(
  hash: Uint8Array,
  signature: { r: bigint; s: bigint; yParity: number },
): Address | undefined {
  const { r, s, yParity } = signature;
  if (r <= 0n || r >= order || s <= 0n || s > halfOrder || (yParity !== 0 && yParity !== 1)) return undefined;
  const publicKey = findPublicKey(hash, toBytes(`${toWord(r)}${toWord(s).slice(2)}`), yParity);
  return publicKey && toHex(keccak(publicKey).subarray(12));
}

/**
 * The 64-byte public key of the private key that made the signature. `rs` contains r and s, with 32 bytes each.
 * Undefined if no key could have made the signature: r isn't the x coordinate of a point, or the key would be the point
 * at infinity.
 */
export function findPublicKey(hash: Uint8Array, rs: Uint8Array, yParity: 0 | 1): Uint8Array | undefined {
  const key = curve.recoverPublicKeyUncompressed(rs, yParity, hash);
  // The library returns an error as a string.
  return typeof key === "string" ? undefined : key.subarray(1);
}
