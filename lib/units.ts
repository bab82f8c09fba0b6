/**
 * Converts amounts between the chain's integers and readable text. All arithmetic uses bigint and decimal digits, never
 * floating point.
 */

export type DisplayAmount = {
  /** The text to display, with grouped digits and a shortened fraction. */
  text: string;
  /** The text to copy, with all digits and without grouping. */
  exact: string;
  /** Whether `text` omits digits. */
  rounded: boolean;
};

/** Converts an amount in smallest units to decimal text without trailing zeros: (1500000n, 6) -> "1.5". */
export function formatUnits(units: bigint, decimals: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${negative ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}`;
}

/**
 * Converts decimal text to smallest units. Throws if the text is not a decimal number or has more than `decimals`
 * digits after the point.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (!match) throw new Error(`"${text}" is not a decimal number.`);
  const [, sign = "", whole = "0", fraction = ""] = match;
  if (fraction.length > decimals) throw new Error(`"${text}" has more than ${decimals} decimal places.`);
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  return sign ? -units : units;
}

/** Separates digits into groups of three: "1234567" -> "1,234,567". */
export function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Formats an integer with grouped digits. */
export function formatInteger(value: bigint | number): string {
  const text = value.toString();
  return text.startsWith("-") ? `-${groupDigits(text.slice(1))}` : groupDigits(text);
}

/**
 * An amount for a table or a sentence, shortened to `significantDigits`. The whole part is always complete. Digits are
 * cut, not rounded, so that a balance never looks too large.
 */
export function toDisplayAmount(units: bigint, decimals: number, significantDigits = 6): DisplayAmount {
  const exact = formatUnits(units, decimals);
  const negative = exact.startsWith("-");
  const [whole = "0", fraction = ""] = (negative ? exact.slice(1) : exact).split(".");
  const leadingZeros = whole === "0" ? /^0*/.exec(fraction)![0].length : 0;
  const room = whole === "0" ? leadingZeros + significantDigits : Math.max(significantDigits - whole.length, 0);
  const kept = fraction.slice(0, room);
  const trimmed = kept.replace(/0+$/, "");
  const rounded = fraction.length > room;
  const text = `${negative ? "-" : ""}${groupDigits(whole)}${trimmed ? `.${trimmed}` : ""}`;
  return { text, exact, rounded };
}

/** An amount rounded to a fixed number of decimals: (73_411_587_288n, 9, 2) -> "73.41". */
export function formatFixed(units: bigint, decimals: number, fractionDigits: number): string {
  const step = 10n ** BigInt(decimals - fractionDigits);
  const digits = ((units + step / 2n) / step).toString().padStart(fractionDigits + 1, "0");
  const point = digits.length - fractionDigits;
  return `${groupDigits(digits.slice(0, point))}${fractionDigits > 0 ? "." : ""}${digits.slice(point)}`;
}

/** The decimals that show an amount exactly: at least two, unless its token has fewer. */
export function toExactDigits(units: bigint, decimals: number): number {
  const length = formatUnits(units, decimals).split(".")[1]?.length ?? 0;
  return Math.min(decimals, Math.max(2, length));
}

/** `part` as a percentage of `whole`, rounded to two decimals. 0 if `whole` is zero. */
export function toPercent(part: bigint, whole: bigint): number {
  if (whole <= 0n) return 0;
  return Number((part * 10_000n + whole / 2n) / whole) / 100;
}

/** Formats a percentage: "0%" for zero, "<0.01%" for a share that is too small to show. */
export function formatPercent(part: bigint, whole: bigint): string {
  if (part === 0n || whole <= 0n) return "0%";
  const percent = toPercent(part, whole);
  if (percent === 0) return "<0.01%";
  // Not rounded again: 37.3495% is 37.3%, although it is 37.35% with two decimals.
  return percent < 10 ? `${percent.toFixed(2)}%` : `${(Number((part * 1_000n + whole / 2n) / whole) / 10).toFixed(1)}%`;
}

/** Gas prices below this (a thousandth of a gwei) are in wei, because in gwei, they would be mostly zeros. */
export const smallGasPriceWei = 1_000_000n;

/** Formats a gas price, given in wei, as text in gwei. Prices below 1 gwei are exact, so that they look different. */
export function formatGwei(wei: bigint): string {
  return wei < 10n ** 9n ? formatUnits(wei, 9) : toDisplayAmount(wei, 9, 5).text;
}

/** A gas price, given in wei: in gwei, or in wei if the price in gwei would be mostly zeros. */
export function toGasPrice(wei: bigint): { text: string; unit: "wei" | "gwei" } {
  const small = wei > 0n && wei < smallGasPriceWei;
  return small ? { text: formatInteger(wei), unit: "wei" } : { text: formatGwei(wei), unit: "gwei" };
}

/** Formats a byte count, such as "812 B" or "24.1 kB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Converts a non-negative integer to minimal hex, as EIP-1474 requires for quantities. */
export function toQuantity(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}
