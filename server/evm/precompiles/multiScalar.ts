/**
 * Sums of many products of a point and a scalar on BLS12-381, by Pippenger's bucket method. The endomorphism splits each
 * scalar into short digits; mcl does this too, but is slower from about 32 points.
 */
import { toBigInt } from "@/server/ethereum/codec/bytes";
import { type Curve, type Group, scalarSize, withMemory } from "@/server/evm/precompiles/curve";
import type { Endomorphism } from "@/server/evm/precompiles/subgroup";

/** From this many digits on, buckets are faster than mcl's tables of multiples for each point. */
const leastDigits = 64;
/** From this many digits on, wider windows save more additions than their larger number of buckets costs. */
const digitsForWide = 250;

/** Points are affine, of the prime-order subgroup; scalars are below its order. */
export function sumProducts(
  curve: Curve,
  endomorphism: Endomorphism,
  sum: number,
  points: number,
  scalars: number,
  length: number,
): void {
  const { group, base, digits, apply } = endomorphism;
  const count = length * digits;
  if (count < leastDigits) {
    group.mulVec(sum, points, scalars, length);
    return;
  }
  const width = count < digitsForWide ? 5 : 6;
  const windows = Math.ceil((base.toString(2).length + 1) / width);
  const buckets = 2 ** (width - 1);
  withMemory(curve, group, count + buckets + 1, (terms) => {
    const all: Int8Array[] = [];
    for (let index = 0; index < length; index++) {
      let rest = toScalar(curve, scalars + index * scalarSize);
      let from = points + index * group.size;
      for (let digit = 0; digit < digits; digit++) {
        const term = terms + all.length * group.size;
        if (digit === 0) curve.mcl.HEAP8.copyWithin(term, from, from + group.size);
        else apply(term, from);
        from = term;
        all.push(toWindows(rest % base, width, windows));
        rest /= base;
      }
    }
    const spare = terms + count * group.size;
    group.clear(sum);
    for (let window = windows - 1; window >= 0; window--) {
      for (let bit = 0; bit < width; bit++) group.dbl(sum, sum);
      addWindow(group, sum, terms, all, window, spare, buckets);
    }
  });
}

/**
 * The number's signed digits in windows of this width, lowest first. Each digit is from -2^(width - 1) to 2^(width -
 * 1).
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

/** Adds each term times its digit in the window. Terms with the same digit share a bucket. */
function addWindow(
  group: Group,
  sum: number,
  terms: number,
  digits: readonly Int8Array[],
  window: number,
  spare: number,
  buckets: number,
): void {
  const running = spare + buckets * group.size;
  for (let bucket = 0; bucket < buckets; bucket++) group.clear(spare + bucket * group.size);
  for (let index = 0; index < digits.length; index++) {
    const digit = digits[index]![window]!;
    if (digit === 0) continue;
    const bucket = spare + (Math.abs(digit) - 1) * group.size;
    const term = terms + index * group.size;
    if (digit > 0) group.add(bucket, bucket, term);
    else group.sub(bucket, bucket, term);
  }
  // Bucket k counts k times: once in each of the k sums that begin at the last bucket and reach bucket k.
  group.clear(running);
  for (let bucket = buckets - 1; bucket >= 0; bucket--) {
    group.add(running, running, spare + bucket * group.size);
    group.add(sum, sum, running);
  }
}

function toScalar({ mcl, buffer }: Curve, address: number): bigint {
  mcl._mclBnFr_serialize(buffer, scalarSize, address);
  return toBigInt(new Uint8Array(mcl.HEAP8.buffer, buffer, scalarSize));
}
