/**
 * P256VERIFY at 0x0100 (EIP-7951): returns the number one as a word if a secp256r1 signature is valid, and no bytes
 * otherwise. It fails only if it runs out of gas.
 */
import {
  allocateIn,
  type Curve,
  type Group,
  getCurve,
  readPoint,
  readReducedScalar,
  readScalar,
  withMemory,
  writePoint,
} from "@/server/evm/precompiles/curve";
import { curveWeight, noBytes, priced, toFixedBytes } from "@/server/evm/precompiles/result";

const inputBytes = 160;

/** Input: hash, r, s, and the key's x and y, 32 bytes each. s may be in either half. */
export const p256Verify = priced(
  () => 6_900n,
  (input) => (input.length === inputBytes && isSignatureValid(input) ? toFixedBytes(1n, 32) : noBytes),
  curveWeight,
);

/** FIPS 186-5, section 6.4.2: `r` must be the x coordinate of (hash / s) * G + (r / s) * key. */
function isSignatureValid(input: Uint8Array): boolean {
  const curve = getCurve("p256");
  const { mcl, g1, points, scalars } = curve;
  const [r, s, factor] = scalars;
  const [sum, key] = points;
  if (!readReducedScalar(curve, input.subarray(32, 64), r) || mcl._mclBnFr_isZero(r) === 1) return false;
  if (!readReducedScalar(curve, input.subarray(64, 96), s) || mcl._mclBnFr_isZero(s) === 1) return false;
  if (!readPoint(curve, g1, input, 96, key) || g1.isZero(key) === 1) return false;
  readScalar(curve, input.subarray(0, 32), factor);
  mcl._mclBnFr_inv(s, s);
  mcl._mclBnFr_mul(factor, factor, s);
  mcl._mclBnFr_mul(s, s, r);
  generatorMultiples ??= createGeneratorMultiples(curve);
  const generators = generatorMultiples;
  const keyFactor = toSparseDigits(curve, s, keyWidth);
  const generatorFactor = toSparseDigits(curve, factor, generatorWidth);
  withMemory(curve, g1, toTableSize(keyWidth), (keys) => {
    fillOddMultiples(curve, keys, toTableSize(keyWidth), key);
    g1.clear(sum);
    for (let bit = scalarBits; bit >= 0; bit--) {
      g1.dbl(sum, sum);
      addMultiple(g1, sum, keys, keyFactor[bit]!);
      addMultiple(g1, sum, generators, generatorFactor[bit]!);
    }
  });
  if (g1.isZero(sum) === 1) return false;
  readScalar(curve, writePoint(curve, g1, sum).subarray(0, 32), factor);
  return mcl._mclBnFr_isEqual(factor, r) === 1;
}

const scalarBits = 256;
const keyWidth = 5;
/** This window is wider, because its table is filled only once. */
const generatorWidth = 10;
let generatorMultiples: number | undefined;

/** Nonzero digits of this width are odd and below 2^(width - 1) in absolute value. */
const toTableSize = (width: number) => 2 ** (width - 2);

function createGeneratorMultiples(curve: Curve): number {
  const { mcl, g1, points } = curve;
  const size = toTableSize(generatorWidth);
  const table = allocateIn(mcl, size * g1.size);
  const [generator] = points;
  mcl._mclBnG1_getBasePoint(generator);
  fillOddMultiples(curve, table, size, generator);
  return table;
}

/** Writes the point times 1, 3, 5 and so on. The results have affine coordinates, which mcl adds faster. */
function fillOddMultiples({ mcl, g1, points }: Curve, table: number, size: number, point: number): void {
  const [, , double] = points;
  g1.dbl(double, point);
  g1.clear(table);
  g1.add(table, table, point);
  for (let index = 1; index < size; index++) {
    g1.add(table + index * g1.size, table + (index - 1) * g1.size, double);
  }
  mcl._mclBnG1_normalizeVec(table, table, size);
}

/** Adds the table's multiple of its point; `digit` is odd or 0. */
function addMultiple(group: Group, sum: number, table: number, digit: number): void {
  if (digit > 0) group.add(sum, sum, table + (digit >> 1) * group.size);
  else if (digit < 0) group.sub(sum, sum, table + (-digit >> 1) * group.size);
}

/**
 * The scalar as a sum of digits times powers of two, by exponent. Among `width` digits in a row, at most one isn't 0.
 */
function toSparseDigits({ mcl, buffer }: Curve, scalar: number, width: number): Int16Array {
  mcl._mclBnFr_serialize(buffer, scalarBits / 8, scalar);
  const { HEAP8 } = mcl;
  const bitAt = (bit: number) => (bit < scalarBits ? (HEAP8[buffer + (bit >> 3)]! >> (bit & 7)) & 1 : 0);
  const digits = new Int16Array(scalarBits + 1);
  let carry = 0;
  for (let bit = 0; bit <= scalarBits; ) {
    if (bitAt(bit) === carry) {
      bit++;
      continue;
    }
    let digit = carry;
    for (let index = 0; index < width; index++) digit += bitAt(bit + index) << index;
    carry = digit >> (width - 1);
    digits[bit] = digit - (carry << width);
    bit += width;
  }
  return digits;
}
