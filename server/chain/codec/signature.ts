/**
 * secp256k1 signatures as Ethereum uses them. Only the lower half of the s range is valid (EIP-2), so that a signed
 * message has exactly one encoding. Points are multiplied in WebAssembly (evm/machine/assembly/curve.ts): a node
 * recovers one key per transaction, and contracts do it too.
 */
import { toBigInt, toHex } from "@/server/chain/codec/bytes";
import { curveModule } from "@/server/chain/codec/curveArtifact";
import { keccak } from "@/server/chain/codec/hash";
import type { Address } from "@/server/chain/types";

type Exports = {
  memory: WebAssembly.Memory;
  prepare(): void;
  invertScalar(): void;
  recover(isOdd: number, signs: number): number;
};

/** Of the curve, SEC 2 section 2.4.1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const halfOrder = order >> 1n;

/** Where the module expects its numbers and leaves its answer, in words of 64 bits; assembly/curve.ts names the same. */
const scalarsAt = 0x2000 / 8;
const numberAt = 0x2080 / 8;
const keyAt = 0x20c0 / 8;

const curve = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(curveModule, "base64")))
  .exports as unknown as Exports;
const words = new BigUint64Array(curve.memory.buffer);
curve.prepare();

/** The address whose key made the signature over a 32-byte hash; undefined where no key can have made it. */
export function findSigner(
  hash: Uint8Array,
  signature: { r: bigint; s: bigint; yParity: number },
): Address | undefined {
  const { r, s, yParity } = signature;
  if (s > halfOrder || (yParity !== 0 && yParity !== 1)) return undefined;
  const publicKey = recover(hash, r, s, yParity);
  return publicKey && toHex(keccak(publicKey).subarray(12));
}

/**
 * The 64 bytes of the public key whose private key made the signature, r and s of 32 bytes each; undefined where r is
 * no x coordinate of a point or the key is the point at infinity: no key has such a signature.
 */
export function findPublicKey(hash: Uint8Array, rs: Uint8Array, yParity: 0 | 1): Uint8Array | undefined {
  const key = recover(hash, toBigInt(rs.subarray(0, 32)), toBigInt(rs.subarray(32, 64)), yParity);
  return key && new Uint8Array(key);
}

/** Q = (s R - z G) / r, SEC 1 section 4.1.6. Answers a view of the module's memory. */
function recover(hash: Uint8Array, r: bigint, s: bigint, yParity: 0 | 1): Uint8Array | undefined {
  if (r <= 0n || r >= order || s <= 0n || s >= order) return undefined;
  putWords(numberAt, r, 4);
  words[numberAt + 4] = 0n;
  curve.invertScalar();
  const inverse = getNumber(keyAt);
  const ofBase = order - ((toBigInt(hash) * inverse) % order);
  const [first, second] = split((s * inverse) % order);
  putWords(scalarsAt, first < 0n ? -first : first, 2);
  putWords(scalarsAt + 2, second < 0n ? -second : second, 2);
  putWords(scalarsAt + 4, ofBase, 4);
  putWords(numberAt, r, 4);
  const signs = (first < 0n ? 1 : 0) | (second < 0n ? 2 : 0);
  return curve.recover(yParity, signs) === 1 ? new Uint8Array(curve.memory.buffer, keyAt * 8, 64) : undefined;
}

/** The shortest vectors (a, b) with a + bλ = 0 modulo the order, λ being what the endomorphism multiplies by. */
const a1 = 0x3086d221a7d46bcde86c90e49284eb15n;
const b1 = -0xe4437ed6010e88286f547fa90abfe4c3n;
const a2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n;
const b2 = a1;
/** b2 and -b1 over the order, in parts of 2^384. */
const g1 = ((b2 << 384n) + halfOrder) / order;
const g2 = ((-b1 << 384n) + halfOrder) / order;
const half = 1n << 383n;

/** k as k1 + k2 λ modulo the order, either of 128 bits and a sign. */
function split(k: bigint): [bigint, bigint] {
  const c1 = (k * g1 + half) >> 384n;
  const c2 = (k * g2 + half) >> 384n;
  return [k - c1 * a1 - c2 * a2, -c1 * b1 - c2 * b2];
}

function putWords(at: number, value: bigint, count: number): void {
  let rest = value;
  for (let i = 0; i < count; i++, rest >>= 64n) words[at + i] = rest;
}

function getNumber(at: number): bigint {
  return words[at]! | (words[at + 1]! << 64n) | (words[at + 2]! << 128n) | (words[at + 3]! << 192n);
}
