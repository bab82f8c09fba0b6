/** Payment rules as pure functions, which the facilitator and the playground's own checks share. */

/** A settlement needs a block: what expires sooner than this many seconds counts as expired. */
export const expiryMarginSeconds = 6;

export function isExpired(validBefore: bigint | number, nowSeconds: number): boolean {
  return validBefore < nowSeconds + expiryMarginSeconds;
}

export function isTooEarly(validAfter: bigint | number, nowSeconds: number): boolean {
  return validAfter > nowSeconds;
}
