/**
 * Reads an integer that a person typed, with or without a unit: "1500000", "1.5 USDC", "0.1 ether", "5 gwei". Without a
 * unit, the number is in the smallest unit.
 */
import { parseUnits } from "@/lib/units";

export type AmountUnit = { symbol: string; decimals: number };

const etherUnits: readonly AmountUnit[] = [
  { symbol: "ether", decimals: 18 },
  { symbol: "eth", decimals: 18 },
  { symbol: "gwei", decimals: 9 },
  { symbol: "wei", decimals: 0 },
];

/**
 * `units` lists the accepted units, with the preferred one first. `name` is the parameter's name. Throws an Error with
 * a message for the user.
 */
export function parseAmount(text: string, units: readonly AmountUnit[], name: string): bigint {
  const typed = text.trim();
  if (/^-?(\d+|0x[0-9a-fA-F]+)$/.test(typed)) return typed.startsWith("-0x") ? -BigInt(typed.slice(1)) : BigInt(typed);
  const match = /^(-?[\d,_]*\.?\d+)\s*(\p{L}[\p{L}\p{N}._-]*)?$/u.exec(typed);
  const known = [...units, ...etherUnits];
  const example = units[0] ?? etherUnits[0]!;
  if (!match) throw new Error(`${name} must be a number, such as 1500000 or 1.5 ${example.symbol}.`);
  const number = match[1]!.replaceAll(/[,_]/g, "").replace(/^(-?)\./, "$10.");
  if (match[2] === undefined) {
    if (!number.includes(".")) return BigInt(number);
    throw new Error(
      `${name} must be a whole number if it has no unit. To enter a fraction, add a unit: ${number} ${example.symbol}.`,
    );
  }
  const unit = known.find(({ symbol }) => symbol.toLowerCase() === match[2]!.toLowerCase());
  if (!unit) {
    const names = [...new Set(known.map(({ symbol }) => symbol))].join(", ");
    throw new Error(`${name} has an unknown unit: ${match[2]}. Use one of ${names}.`);
  }
  const decimals = number.split(".")[1]?.length ?? 0;
  if (decimals > unit.decimals) {
    throw new Error(`${name} has ${decimals} decimals, but ${unit.symbol} has only ${unit.decimals}.`);
  }
  return parseUnits(number, unit.decimals);
}
