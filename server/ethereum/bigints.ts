/**
 * Minimum and maximum of bigints, which Math doesn't support.
 */

export function minBigint(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export function maxBigint(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
