/**
 * Multi-scalar multiplication on BLS12-381 with Pippenger's bucket method. The endomorphism splits each scalar into
 * short digits. Points in buckets stay affine, so that all additions in a round can share one inversion.
 */
import { toBigInt } from "@/server/ethereum/codec/bytes";
import { type Curve, type Group, scalarSize, withMemory } from "@/server/evm/precompiles/curve";
import type { Endomorphism } from "@/server/evm/precompiles/subgroup";

/** If there are at least this many digits, buckets are faster than mcl's tables. */
const leastDigits = 64;
/** If there are at least this many digits, wider windows are faster. */
const digitsForWide = 250;

/** The addresses of a point and of its negative, and the factor for the point, split into window digits. */
type Term = { point: number; negative: number; digits: Int8Array };
/** Two points to add. If `isDouble` is set, they are equal; otherwise, their x coordinates differ. */
type Pair = { one: number; other: number; target: number; isDouble: boolean };

/** Points must be affine and in the prime-order subgroup; scalars must be below its order. */
export function sumProducts(
  curve: Curve,
  endomorphism: Endomorphism,
  sum: number,
  points: number,
  scalars: number,
  length: number,
): void {
  const { group, base, digits, apply } = endomorphism;
  const { size } = group;
  const count = length * digits;
  if (count < leastDigits) {
    group.mulVec(sum, points, scalars, length);
    return;
  }
  const width = count < digitsForWide ? 5 : 6;
  const windows = Math.ceil((base.toString(2).length + 1) / width);
  withMemory(curve, group, 3 * count + 2, (memory) => {
    const terms: Term[] = [];
    let free = memory;
    for (let index = 0; index < length; index++) {
      let from = points + index * size;
      if (group.isZero(from) === 1) continue;
      let rest = toScalar(curve, scalars + index * scalarSize);
      for (let digit = 0; digit < digits; digit++) {
        const term = { point: free, negative: free + size, digits: toWindows(rest % base, width, windows) };
        if (digit === 0) curve.mcl.HEAP8.copyWithin(free, from, from + size);
        else apply(free, from);
        group.neg(term.negative, free);
        terms.push(term);
        from = free;
        free += 2 * size;
        rest /= base;
      }
    }
    const [running, scratch] = [free, free + size];
    free += 2 * size;
    // Prepares the memory for the sums. Additions don't write a sum's z coordinate, so it must already be one.
    for (let index = 0; index < terms.length; index++) {
      curve.mcl.HEAP8.copyWithin(free + index * size, memory, memory + size);
    }
    group.clear(sum);
    for (let window = windows - 1; window >= 0; window--) {
      for (let bit = 0; bit < width; bit++) group.dbl(sum, sum);
      const buckets: number[][] = Array.from({ length: 2 ** (width - 1) + 1 }, () => []);
      for (const { point, negative, digits } of terms) {
        const digit = digits[window]!;
        if (digit !== 0) buckets[Math.abs(digit)]!.push(digit > 0 ? point : negative);
      }
      addBuckets(group, buckets, free, scratch);
      // Bucket k must count k times. It stays in the running sum for k steps, and each step adds the running sum to the
      // total.
      group.clear(running);
      for (const [point] of buckets.slice(1).reverse()) {
        if (point !== undefined) group.add(running, running, point);
        group.add(sum, sum, running);
      }
    }
  });
}

/**
 * Replaces the points in each bucket with their sum. If the sum is infinity, leaves the bucket empty. Sums are written
 * to memory from `free` on.
 */
function addBuckets(group: Group, buckets: number[][], free: number, scratch: number): void {
  const { field, size } = group;
  let target = free;
  for (;;) {
    const pairs: Pair[] = [];
    for (const [index, points] of buckets.entries()) {
      if (points.length < 2) continue;
      const sums: number[] = points.length % 2 === 1 ? [points.at(-1)!] : [];
      for (let at = 1; at < points.length; at += 2) {
        const [one, other] = [points[at - 1]!, points[at]!];
        field.sub(target, other, one);
        const isDouble = field.isZero(target) === 1;
        if (isDouble) field.add(target, one + field.size, other + field.size);
        // The two points are negatives of each other, so they cancel out.
        if (field.isZero(target) === 1) continue;
        pairs.push({ one, other, target, isDouble });
        sums.push(target);
        target += size;
      }
      buckets[index] = sums;
    }
    if (pairs.length === 0) return;
    addPairs(group, pairs, scratch);
  }
}

/**
 * Adds pairs of affine points. At the start, the x coordinate of each `target` contains the slope's denominator. All
 * denominators share one inversion, which halves the number of multiplications.
 */
function addPairs({ field }: Group, pairs: readonly Pair[], scratch: number): void {
  const { add, inv, mul, sqr, sub, size } = field;
  const [inverse, slope, spare] = [scratch, scratch + size, scratch + 2 * size];
  const one = pairs[0]!.target + 2 * size;
  // Stores the product of all denominators so far in each target's y coordinate.
  let product = one;
  for (const { target } of pairs) {
    mul(target + size, product, target);
    product = target + size;
  }
  inv(inverse, product);
  for (let index = pairs.length - 1; index >= 0; index--) {
    const { one: first, other, target, isDouble } = pairs[index]!;
    mul(slope, inverse, index === 0 ? one : pairs[index - 1]!.target + size);
    mul(inverse, inverse, target);
    if (isDouble) {
      sqr(spare, first);
      add(target, spare, spare);
      add(spare, spare, target);
    } else sub(spare, other + size, first + size);
    mul(slope, slope, spare);
    sqr(spare, slope);
    sub(spare, spare, first);
    sub(target, spare, other);
    sub(spare, first, target);
    mul(spare, spare, slope);
    sub(target + size, spare, first + size);
  }
}

/**
 * Splits the number into windows of `width` bits and returns a signed digit for each window, lowest first. Digits are
 * from -2^(width - 1) to 2^(width - 1).
 */
function toWindows(value: bigint, width: number, windows: number): Int8Array {
  const result = new Int8Array(windows);
  const size = 2 ** width;
  let rest = value;
  let carry = 0;
  for (let window = 0; window < windows; window++) {
    const part = Number(BigInt.asUintN(width, rest)) + carry;
    rest >>= BigInt(width);
    carry = part > size / 2 ? 1 : 0;
    result[window] = part - carry * size;
  }
  return result;
}

function toScalar({ mcl, buffer }: Curve, address: number): bigint {
  mcl._mclBnFr_serialize(buffer, scalarSize, address);
  return toBigInt(new Uint8Array(mcl.HEAP8.buffer, buffer, scalarSize));
}
