/**
 * Addition, multiplication and pairing on alt_bn128 at 0x06 to 0x08 (EIP-196, EIP-197), with the prices of Byzantium
 * and of Istanbul (EIP-1108). A point is its affine coordinates, 32 bytes each; all zeros is infinity.
 */
import { bn254 } from "@noble/curves/bn254.js";
import { toBigInt } from "@/server/ethereum/codec/bytes";
import { curveWeight, isZero, priced, slicePadded, toFixedBytes } from "@/server/evm/precompiles/result";

const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
const { Fr, Fp12 } = bn254.fields;
type G1Point = typeof G1.ZERO;
type G2Point = typeof G2.ZERO;

const pairBytes = 192;
const badPoint = "bn254: not a point on the curve";

function findG1(bytes: Uint8Array): G1Point | undefined {
  if (isZero(bytes)) return G1.ZERO;
  try {
    // Throws if a coordinate isn't below the field's order or the point isn't on the curve. The cofactor is one.
    const point = G1.fromAffine({ x: toBigInt(bytes.subarray(0, 32)), y: toBigInt(bytes.subarray(32, 64)) });
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}

/** EIP-197 puts the imaginary part of a coordinate first and requires the prime-order subgroup. */
function findG2(bytes: Uint8Array): G2Point | undefined {
  if (isZero(bytes)) return G2.ZERO;
  const [x1, x0, y1, y0] = [0, 32, 64, 96].map((at) => toBigInt(bytes.subarray(at, at + 32)));
  try {
    const point = G2.fromAffine({ x: { c0: x0!, c1: x1! }, y: { c0: y0!, c1: y1! } });
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}

function fromG1(point: G1Point): Uint8Array {
  const bytes = new Uint8Array(64);
  const { x, y } = point.toAffine();
  bytes.set(toFixedBytes(x, 32), 0);
  bytes.set(toFixedBytes(y, 32), 32);
  return bytes;
}

function add(input: Uint8Array): Uint8Array | string {
  const one = findG1(slicePadded(input, 0, 64));
  const other = findG1(slicePadded(input, 64, 64));
  return one && other ? fromG1(one.add(other)) : badPoint;
}

function multiply(input: Uint8Array): Uint8Array | string {
  const point = findG1(slicePadded(input, 0, 64));
  const scalar = Fr.create(toBigInt(slicePadded(input, 64, 32)));
  return point ? fromG1(point.multiplyUnsafe(scalar)) : badPoint;
}

function pair(input: Uint8Array): Uint8Array | string {
  if (input.length % pairBytes !== 0) return "bn254: input is not a multiple of 192 bytes";
  const pairs: { g1: G1Point; g2: G2Point }[] = [];
  for (let at = 0; at < input.length; at += pairBytes) {
    const g1 = findG1(input.subarray(at, at + 64));
    const g2 = g1 && findG2(input.subarray(at + 64, at + pairBytes));
    if (!g1 || !g2) return badPoint;
    // A pairing with infinity is one.
    if (!g1.is0() && !g2.is0()) pairs.push({ g1, g2 });
  }
  const isOne = pairs.length === 0 || Fp12.eql(bn254.pairingBatch(pairs), Fp12.ONE);
  return toFixedBytes(isOne ? 1n : 0n, 32);
}

const perPair = (base: bigint, each: bigint) => (inputBytes: number) =>
  base + each * BigInt(Math.floor(inputBytes / pairBytes));

export const byzantiumAdd = priced(() => 500n, add, curveWeight);
export const byzantiumMultiply = priced(() => 40_000n, multiply, curveWeight);
export const byzantiumPairing = priced(perPair(100_000n, 80_000n), pair, curveWeight);
export const istanbulAdd = priced(() => 150n, add, curveWeight);
export const istanbulMultiply = priced(() => 6_000n, multiply, curveWeight);
export const istanbulPairing = priced(perPair(45_000n, 34_000n), pair, curveWeight);
