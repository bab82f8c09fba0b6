/**
 * secp256k1 signatures as Ethereum uses them. Only the lower half of the s range is valid (EIP-2), so that a signed
 * message has exactly one encoding.
 */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { toHex } from "@/server/chain/codec/bytes";
import { keccak } from "@/server/chain/codec/hash";
import type { Address } from "@/server/chain/types";

const order = secp256k1.Point.CURVE().n;
const halfOrder = order >> 1n;

/** The address whose key made the signature over a 32-byte hash; undefined where no key can have made it. */
export function findSigner(
  hash: Uint8Array,
  signature: { r: bigint; s: bigint; yParity: number },
): Address | undefined {
  const { r, s, yParity } = signature;
  if (r <= 0n || r >= order || s <= 0n || s > halfOrder || (yParity !== 0 && yParity !== 1)) return undefined;
  try {
    return toAddress(new secp256k1.Signature(r, s, yParity).recoverPublicKey(hash).toBytes(false));
  } catch {
    // r is no x coordinate of a point, or the point recovered is the one at infinity: no key has this signature.
    return undefined;
  }
}

function toAddress(publicKey: Uint8Array): Address {
  return toHex(keccak(publicKey.subarray(1)).subarray(12));
}
