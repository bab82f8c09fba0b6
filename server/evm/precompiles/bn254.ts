/**
 * The precompiles for alt_bn128 at 0x06 to 0x08 (EIP-196, EIP-197): addition, multiplication and pairing, with
 * Byzantium's prices and the lower prices from Istanbul on (EIP-1108). A point is encoded as its affine coordinates, 32
 * bytes each; all zeros means infinity.
 */
import { getCurve, isProductOne, readPoint, readScalar, writePoint } from "@/server/evm/precompiles/curve";
import { curveWeight, priced, slicePadded, toFixedBytes } from "@/server/evm/precompiles/result";
import { isInBn254Subgroup } from "@/server/evm/precompiles/subgroup";

const pairBytes = 192;
const badPoint = "bn254: not a point on the curve";

/** Needs no subgroup check, because every point on the curve is in the prime-order group. */
function add(input: Uint8Array): Uint8Array | string {
  const curve = getCurve("bn254");
  const { g1, points } = curve;
  const [one, other] = points;
  const data = slicePadded(input, 0, 128);
  if (!readPoint(curve, g1, data, 0, one) || !readPoint(curve, g1, data, 64, other)) return badPoint;
  g1.add(one, one, other);
  return writePoint(curve, g1, one);
}

function multiply(input: Uint8Array): Uint8Array | string {
  const curve = getCurve("bn254");
  const { g1, points, scalars } = curve;
  const [point] = points;
  const [scalar] = scalars;
  const data = slicePadded(input, 0, 96);
  if (!readPoint(curve, g1, data, 0, point)) return badPoint;
  readScalar(curve, data.subarray(64), scalar);
  g1.mul(point, point, scalar);
  return writePoint(curve, g1, point);
}

/** EIP-197 puts the imaginary part of a coordinate first, and requires that points are in G2's prime-order subgroup. */
function pair(input: Uint8Array): Uint8Array | string {
  if (input.length % pairBytes !== 0) return "bn254: input is not a multiple of 192 bytes";
  const curve = getCurve("bn254");
  const { g1, g2 } = curve;
  const isOne = isProductOne(
    curve,
    input,
    (offset, one, other) =>
      readPoint(curve, g1, input, offset, one) &&
      readPoint(curve, g2, input, offset + g1.bytes, other, true) &&
      isInBn254Subgroup(other),
  );
  return isOne === undefined ? badPoint : toFixedBytes(isOne ? 1n : 0n, 32);
}

const perPair = (base: bigint, each: bigint) => (inputBytes: number) =>
  base + each * BigInt(Math.floor(inputBytes / pairBytes));

export const byzantiumAdd = priced(() => 500n, add, curveWeight);
export const byzantiumMultiply = priced(() => 40_000n, multiply, curveWeight);
export const byzantiumPairing = priced(perPair(100_000n, 80_000n), pair, curveWeight);
export const istanbulAdd = priced(() => 150n, add, curveWeight);
export const istanbulMultiply = priced(() => 6_000n, multiply, curveWeight);
export const istanbulPairing = priced(perPair(45_000n, 34_000n), pair, curveWeight);
