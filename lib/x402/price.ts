/** Converts between dollar prices and an asset's smallest units. All conversions use decimal strings, never floats. */

/** A malformed price. */
export class PriceError extends Error {
  override name = "PriceError";
  readonly code = "INVALID_PRICE";
}

/**
 * Converts "$0.01", "0.01" or "0.01 USDC" to units of an asset with the given decimals. Fractions of a unit are
 * truncated, as in other x402 servers. Throws PriceError.
 */
export function toUnits(price: string, decimals: number): bigint {
  const match = /^\$?(\d{1,78})(?:\.(\d{1,78}))?(?: [A-Za-z]{1,12})?$/.exec(price.trim());
  if (!match) throw new PriceError(`${JSON.stringify(price)} is not a valid price. Use a format such as "$0.01".`);
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

/** Converts units to a decimal string without trailing zeros. With 6 decimals, 10000n becomes "0.01". */
export function toDecimal(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction ? `${sign}${whole}.${fraction}` : `${sign}${whole}`;
}
