/**
 * Verifies KZG opening proofs (EIP-4844), which show that a commitment's polynomial has a given value at a point. This
 * takes one pairing equation and a few points from the ceremony.
 */
import { g1Powers, g2Generator, g2Power1, g2Power64 } from "@/server/evm/ceremony";
import {
  allocateIn,
  type Curve,
  getCurve,
  readReducedScalar,
  scalarSize,
  withMemory,
} from "@/server/evm/precompiles/curve";
import { readCompressed } from "@/server/evm/precompiles/subgroup";

/** The order of the groups, which is also the size of the scalar field. EIP-4844 BLS_MODULUS. */
export const blsModulus = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const compressedBytes = 48;

type Ceremony = {
  curve: Curve;
  /** The negated generator of G2 and its products with powers of the secret, prepared for pairings. */
  minusGenerator: number;
  power1: number;
  power64: number;
  /** The generator of G1, multiplied by the powers 0 to 63 of the secret. */
  powers: number;
};
let ceremony: Ceremony | undefined;

/** Throws PendingRead until the curve is loaded. */
export function getCeremony(): Ceremony {
  ceremony ??= createCeremony(getCurve("bls12381"));
  return ceremony;
}

function createCeremony(curve: Curve): Ceremony {
  const { mcl, g1, g2, points } = curve;
  const [point] = points;
  const prepare = (bytes: Uint8Array, isNegated = false) => {
    if (!readCompressed(curve, "g2", bytes, point)) throw new Error("The KZG trusted setup contains an invalid point.");
    if (isNegated) g2.neg(point, point);
    const prepared = allocateIn(mcl, 8 * mcl._mclBn_getUint64NumToPrecompute());
    mcl._mclBn_precomputeG2(prepared, point);
    return prepared;
  };
  const powers = allocateIn(mcl, (g1Powers.length / compressedBytes) * g1.size);
  for (const [index, bytes] of toParts(g1Powers, compressedBytes).entries()) {
    if (!readCompressed(curve, "g1", bytes, powers + index * g1.size))
      throw new Error("The KZG trusted setup contains an invalid point.");
  }
  return {
    curve,
    minusGenerator: prepare(g2Generator, true),
    power1: prepare(g2Power1),
    power64: prepare(g2Power64),
    powers,
  };
}

export function toParts(bytes: Uint8Array, length: number): Uint8Array[] {
  return Array.from({ length: bytes.length / length }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
}

/**
 * Whether p(z) = y, where p is the commitment's polynomial. The commitment and the proof are 48-byte compressed points;
 * z and y are 32-byte big-endian field elements. Undefined if one of them is invalid. Throws PendingRead until the
 * curve is loaded.
 */
export function isOpeningValid(
  commitment: Uint8Array,
  z: Uint8Array,
  y: Uint8Array,
  proof: Uint8Array,
): boolean | undefined {
  const { curve, power1, powers } = getCeremony();
  const { mcl, g1, points } = curve;
  const [left, sum] = points;
  // Checks e(C - y + z * proof, 1) = e(proof, secret). This form avoids multiplication in the more expensive group.
  return withMemory(curve, g1, 2, (terms, scalars) => {
    const right = terms + g1.size;
    if (!readReducedScalar(curve, y, scalars) || !readReducedScalar(curve, z, scalars + scalarSize)) return undefined;
    if (!readCompressed(curve, "g1", commitment, left) || !readCompressed(curve, "g1", proof, right)) return undefined;
    mcl.HEAP8.copyWithin(terms, powers, powers + g1.size);
    mcl._mclBnFr_neg(scalars, scalars);
    g1.mulVec(sum, terms, scalars, 2);
    g1.add(left, left, sum);
    return arePairingsEqual(left, right, power1);
  });
}

/**
 * Whether the pairing of `left` with the generator of G2 equals the pairing of `right` with the prepared point from the
 * ceremony.
 */
export function arePairingsEqual(left: number, right: number, prepared: number): boolean {
  const { curve, minusGenerator } = getCeremony();
  const { mcl, g1, product } = curve;
  // The result of a pairing is one if and only if one of its points is infinity.
  if (g1.isZero(left) === 1 || g1.isZero(right) === 1) return g1.isZero(left) === g1.isZero(right);
  g1.normalize(left, left);
  g1.normalize(right, right);
  mcl._mclBn_precomputedMillerLoop2(product, left, minusGenerator, right, prepared);
  mcl._mclBn_finalExp(product, product);
  return mcl._mclBnGT_isOne(product) === 1;
}
