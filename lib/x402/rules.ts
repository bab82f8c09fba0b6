/** Payment rules as pure functions, shared by the facilitator and the playground's checks. */

/** Settling takes a block, so a payment that expires within this many seconds counts as expired. */
export const expiryMarginSeconds = 6;

export function isExpired(validBefore: bigint | number, nowSeconds: number): boolean {
  return validBefore < nowSeconds + expiryMarginSeconds;
}

export function isTooEarly(validAfter: bigint | number, nowSeconds: number): boolean {
  return validAfter > nowSeconds;
}
