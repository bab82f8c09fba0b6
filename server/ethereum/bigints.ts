/** Minimum and maximum of two bigints. Math.min and Math.max don't accept bigints. */

export function minBigint(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export function maxBigint(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
