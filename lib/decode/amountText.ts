/**
 * Reads an integer that a person typed, with or without a unit: "1500000", "1.5 USDC", "0.1 ether", "5 gwei". Without a
 * unit, the number is in the smallest unit.
 */
import { parseUnits } from "@/lib/units";

export type AmountUnit = {
  symbol: string;
  decimals: number;
  /** Set if the contract is this unit's token, so that the amounts of its functions have no other unit. */
  isOwn?: true;
};

export const etherUnits: readonly AmountUnit[] = [
  { symbol: "ether", decimals: 18 },
  { symbol: "eth", decimals: 18 },
  { symbol: "gwei", decimals: 9 },
  { symbol: "wei", decimals: 0 },
];

/** Commas only separate groups of three digits, because some people type "2,5" for two and a half. */
const amountPattern = /^(-?(?:\d{1,3}(?:,\d{3})+|[\d_]*)(?:\.\d+)?)\s*(\p{L}[\p{L}\p{N}._-]*)?$/u;

/**
 * `units` lists the accepted units, with the preferred one first. `name` is the parameter's name. Throws an Error with
 * a message for the user.
 */
export function parseAmount(text: string, units: readonly AmountUnit[], name: string): bigint {
  const typed = text.trim();
  if (/^-?(\d+|0x[0-9a-fA-F]+)$/.test(typed)) return typed.startsWith("-0x") ? -BigInt(typed.slice(1)) : BigInt(typed);
  const match = amountPattern.exec(typed);
  const example = units[0] ?? etherUnits[0]!;
  if (!match || !/\d/.test(match[1]!)) {
    const commas = /\d,\d/.test(typed) ? " Decimals come after a point, and commas only group thousands." : "";
    throw new Error(`${name} must be a number, such as 1500000 or 1.5 ${example.symbol}.${commas}`);
  }
  const number = match[1]!.replaceAll(/[,_]/g, "").replace(/^(-?)\./, "$10.");
  if (match[2] === undefined) {
    if (!number.includes(".")) return BigInt(number);
    throw new Error(
      `${name} must be a whole number if it has no unit. To enter a fraction, add a unit: ${number} ${example.symbol}.`,
    );
  }
  const unit = units.find(({ symbol }) => symbol.toLowerCase() === match[2]!.toLowerCase());
  if (!unit) {
    const names = [...new Set(units.map(({ symbol }) => symbol))];
    throw new Error(`${name} can’t be in ${match[2]}. Use ${names.length > 1 ? "one of " : ""}${names.join(", ")}.`);
  }
  const decimals = number.split(".")[1]?.length ?? 0;
  if (decimals > unit.decimals) {
    throw new Error(`${name} has ${decimals} decimals, but ${unit.symbol} has only ${unit.decimals}.`);
  }
  return parseUnits(number, unit.decimals);
}
