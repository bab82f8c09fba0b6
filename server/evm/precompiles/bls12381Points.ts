/**
 * Points of BLS12-381 as EIP-2537 encodes them: a field element is 64 bytes, the first 16 of them zero; a point is its
 * affine coordinates, with all zeros for infinity. A returned point is on the curve and, if requested, in the
 * prime-order subgroup.
 */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { toBigInt } from "@/server/ethereum/codec/bytes";
import { isZero, toFixedBytes } from "@/server/evm/precompiles/result";

export const G1 = bls12_381.G1.Point;
export const G2 = bls12_381.G2.Point;
export type G1Point = typeof G1.ZERO;
export type G2Point = typeof G2.ZERO;
const { Fp, Fp2 } = bls12_381.fields;

export const fpBytes = 64;
export const g1Bytes = 2 * fpBytes;
export const g2Bytes = 4 * fpBytes;

/** y^2 = x^3 + 4 on the curve, and + 4(1 + u) on its twist. */
const g1Constant = 4n;
const g2Constant = { c0: 4n, c1: 4n };

/** The field element at the offset; undefined if it isn't below the modulus. */
export function findFp(bytes: Uint8Array, at: number): bigint | undefined {
  if (!isZero(bytes.subarray(at, at + 16))) return undefined;
  const value = toBigInt(bytes.subarray(at + 16, at + fpBytes));
  return value < Fp.ORDER ? value : undefined;
}

export function findFp2(bytes: Uint8Array, at: number): { c0: bigint; c1: bigint } | undefined {
  const c0 = findFp(bytes, at);
  const c1 = findFp(bytes, at + fpBytes);
  return c0 === undefined || c1 === undefined ? undefined : { c0, c1 };
}

export function findG1(bytes: Uint8Array, at: number, inSubgroup: boolean): G1Point | undefined {
  const x = findFp(bytes, at);
  const y = findFp(bytes, at + fpBytes);
  if (x === undefined || y === undefined) return undefined;
  if (x === 0n && y === 0n) return G1.ZERO;
  if (Fp.sqr(y) !== Fp.add(Fp.mul(Fp.sqr(x), x), g1Constant)) return undefined;
  const point = G1.fromAffine({ x, y });
  return !inSubgroup || isInSubgroup(point) ? point : undefined;
}

export function findG2(bytes: Uint8Array, at: number, inSubgroup: boolean): G2Point | undefined {
  const x = findFp2(bytes, at);
  const y = findFp2(bytes, at + g1Bytes);
  if (!x || !y) return undefined;
  if (Fp2.is0(x) && Fp2.is0(y)) return G2.ZERO;
  if (!Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.create(g2Constant)))) return undefined;
  const point = G2.fromAffine({ x, y });
  return !inSubgroup || isInSubgroup(point) ? point : undefined;
}

/** The library remembers points that it has validated; otherwise it would validate them again before a pairing. */
function isInSubgroup(point: { assertValidity(): void }): boolean {
  try {
    point.assertValidity();
    return true;
  } catch {
    return false;
  }
}

export function fromG1(point: G1Point): Uint8Array {
  const { x, y } = point.toAffine();
  return toFields(x, y);
}

export function fromG2(point: G2Point): Uint8Array {
  const { x, y } = point.toAffine();
  return toFields(x.c0, x.c1, y.c0, y.c1);
}

function toFields(...values: bigint[]): Uint8Array {
  const bytes = new Uint8Array(fpBytes * values.length);
  for (const [index, value] of values.entries()) bytes.set(toFixedBytes(value, fpBytes), index * fpBytes);
  return bytes;
}
