/**
 * Verifies the proofs of blobs against their commitments: one proof per blob (EIP-4844) or one per cell (EIP-7594). The
 * caller has the whole blob, so there's no need to compute the cells.
 */
import { createHash, randomBytes } from "node:crypto";
import { toBigInt } from "@/server/ethereum/codec/bytes";
import { arePairingsEqual, blsModulus, getCeremony, isOpeningValid, toParts } from "@/server/evm/openingProof";
import { readScalar, withMemory } from "@/server/evm/precompiles/curve";
import { toFixedBytes } from "@/server/evm/precompiles/result";
import { readCompressed } from "@/server/evm/precompiles/subgroup";

const elementsPerBlob = 4_096;
const elementBytes = 32;
export const cellsPerBlob = 128;
const elementsPerCell = 64;
/** EIP-4844 FIAT_SHAMIR_PROTOCOL_DOMAIN, followed by the number of elements. */
const challengeDomain = Buffer.concat([Buffer.from("FSBLOBVERIFY_V1_"), toFixedBytes(BigInt(elementsPerBlob), 16)]);

const modulo = (value: bigint) => value % blsModulus;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = modulo(square * square)) {
    if (rest & 1n) result = modulo(result * square);
  }
  return result;
}

const invert = (value: bigint) => power(value, blsModulus - 2n);

/**
 * All roots of unity of this order, as consecutive powers of a primitive root. EIP-4844 PRIMITIVE_ROOT_OF_UNITY is 7.
 */
function toRoots(order: number): bigint[] {
  const root = power(7n, (blsModulus - 1n) / BigInt(order));
  const roots = [1n];
  while (roots.length < order) roots.push(modulo(roots.at(-1)! * root));
  return roots;
}

/** Reverses the order of the index's lowest bits. */
function reverseBits(index: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((index >>> bit) & 1) << (bits - 1 - bit);
  return reversed;
}

/**
 * Uses an inverse Fourier transform to compute the coefficients of the blob's polynomial. The blob contains the
 * polynomial's values at the roots of unity in bit-reversed order. Undefined if a value isn't below the modulus.
 */
function findCoefficients(blob: Uint8Array): bigint[] | undefined {
  const values = toParts(blob, elementBytes).map(toBigInt);
  if (values.some((value) => value >= blsModulus)) return undefined;
  const roots = toRoots(elementsPerBlob);
  for (let half = 1; half < elementsPerBlob; half *= 2) {
    const step = elementsPerBlob / (2 * half);
    for (let start = 0; start < elementsPerBlob; start += 2 * half) {
      for (let index = 0; index < half; index++) {
        // The inverse of the root at index i is the root at index -i.
        const root = roots[(elementsPerBlob - index * step) % elementsPerBlob]!;
        const one = values[start + index]!;
        const other = modulo(values[start + index + half]! * root);
        values[start + index] = modulo(one + other);
        values[start + index + half] = modulo(one - other + blsModulus);
      }
    }
  }
  const scale = invert(BigInt(elementsPerBlob));
  return values.map((value) => modulo(value * scale));
}

/** EIP-4844 verify_blob_kzg_proof. Throws PendingRead until the curve is loaded. */
export function isBlobProofValid(blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array): boolean {
  const coefficients = findCoefficients(blob);
  if (!coefficients) return false;
  const digest = createHash("sha256").update(challengeDomain).update(blob).update(commitment).digest();
  const challenge = modulo(toBigInt(digest));
  const value = coefficients.reduceRight((sum, coefficient) => modulo(sum * challenge + coefficient), 0n);
  const [z, y] = [challenge, value].map((each) => toFixedBytes(each, elementBytes));
  return isOpeningValid(commitment, z!, y!, proof) === true;
}

/**
 * Whether the proofs of all 128 cells are valid. Like EIP-7594 verify_cell_kzg_proof_batch, checks all proofs in a
 * single equation, which sums them with random factors. Throws PendingRead until the curve is loaded.
 *
 * Cell k holds the values of p at the 64 points whose 64th power is a_k, so its proof commits to (p - I_k) / (X^64 -
 * a_k), where I_k is p modulo X^64 - a_k. With the commitments C_k and the random factors r_k, the equation is
 * e(sum r_k (C_k - I_k + a_k proof_k), 1) = e(sum r_k proof_k, secret^64).
 */
export function areCellProofsValid(blob: Uint8Array, commitment: Uint8Array, proofs: readonly Uint8Array[]): boolean {
  const coefficients = findCoefficients(blob);
  if (!coefficients) return false;
  const { curve, power64, powers } = getCeremony();
  const { g1, points } = curve;
  const [left, right, sum] = points;
  const scalarAt = (scalars: number, index: number, value: bigint) =>
    readScalar(curve, toFixedBytes(value, elementBytes), scalars + index * elementBytes);
  const roots = toRoots(cellsPerBlob);
  const factors = Array.from({ length: cellsPerBlob }, () => toBigInt(randomBytes(16)));
  const total = factors.reduce((one, other) => one + other, 0n);
  return withMemory(curve, g1, cellsPerBlob, (terms, scalars) => {
    for (let cell = 0; cell < cellsPerBlob; cell++) {
      if (!readCompressed(curve, "g1", proofs[cell]!, terms + cell * g1.size)) return false;
      scalarAt(scalars, cell, factors[cell]!);
    }
    if (!readCompressed(curve, "g1", commitment, left)) return false;
    g1.mulVec(right, terms, scalars, cellsPerBlob);
    for (let cell = 0; cell < cellsPerBlob; cell++) {
      scalarAt(scalars, cell, modulo(factors[cell]! * roots[reverseBits(cell, 7)]!));
    }
    g1.mulVec(sum, terms, scalars, cellsPerBlob);
    scalarAt(scalars, 0, modulo(total));
    g1.mul(left, left, scalars);
    g1.add(left, left, sum);
    for (const [index, value] of toRemainder(coefficients, factors, roots).entries()) scalarAt(scalars, index, value);
    g1.mulVec(sum, powers, scalars, elementsPerCell);
    g1.sub(left, left, sum);
    return arePairingsEqual(left, right, power64);
  });
}

/** The coefficients of the sum of r_k I_k. I_k is p with X^64 replaced by a_k. */
function toRemainder(coefficients: bigint[], factors: bigint[], roots: bigint[]): bigint[] {
  const remainder = Array.from({ length: elementsPerCell }, () => 0n);
  for (let block = 0; block < elementsPerBlob / elementsPerCell; block++) {
    let weight = 0n;
    for (const [cell, factor] of factors.entries()) {
      weight += factor * roots[(reverseBits(cell, 7) * block) % cellsPerBlob]!;
    }
    weight = modulo(weight);
    for (let index = 0; index < elementsPerCell; index++) {
      remainder[index] = modulo(remainder[index]! + coefficients[block * elementsPerCell + index]! * weight);
    }
  }
  return remainder;
}
