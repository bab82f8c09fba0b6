/**
 * Converts the text that a visitor typed to values for the ABI encoder. If the text is invalid, the error explains why.
 */
import { type AbiParameter, checksumAddress } from "viem";
import { type AmountUnit, parseAmount } from "@/lib/decode/amountText";
import { isTimeName, isTokenAmount } from "@/lib/decode/meanings";

/** Throws an Error with a message for the user. */
export function toArgument(parameter: AbiParameter, text: string, units: readonly AmountUnit[] = []): unknown {
  const typed = text.trim();
  if (/(\]$|^tuple)/.test(parameter.type)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(typed);
    } catch {
      throw new Error(`${toLabel(parameter)} must be JSON, such as ${toExample(parameter)}.`);
    }
    return toValue(parameter, parsed, units);
  }
  return toValue(parameter, typed, units);
}

const toLabel = ({ name, type }: AbiParameter) => name || type;

/** Text that shows what the parameter's field accepts. Undefined if it accepts any text. */
export function toPlaceholder(parameter: AbiParameter): string | undefined {
  const { type, name = "" } = parameter;
  if (/(\]$|^tuple)/.test(type)) return toExample(parameter);
  if (/^u?int/.test(type)) return isTimeName(name) ? "Unix time in seconds" : "Whole number";
  if (type === "bool") return "true or false";
  if (/^bytes\d/.test(type)) return `${type.slice(5)} bytes, 0x…`;
  return type === "address" || type === "bytes" ? "0x…" : undefined;
}

function toExample({ type }: AbiParameter): string {
  if (type.startsWith("tuple")) return type.endsWith("]") ? '[{ "name": "value" }]' : '{ "name": "value" }';
  return /^u?int/.test(type) ? '["1", "2"]' : type.startsWith("bool") ? "[true, false]" : '["0x…", "0x…"]';
}

function toValue(parameter: AbiParameter, value: unknown, units: readonly AmountUnit[]): unknown {
  const { type } = parameter;
  const label = toLabel(parameter);
  const inner = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (inner !== undefined) {
    if (!Array.isArray(value)) throw new Error(`${label} must be a list.`);
    return value.map((each) => toValue({ ...parameter, type: inner } as AbiParameter, each, units));
  }
  if (type === "tuple" && "components" in parameter) return toTuple(parameter, value, units);
  const text = typeof value === "string" ? value.trim() : String(value);
  if (/^u?int/.test(type)) return toInteger(parameter, text, units);
  if (type === "bool") {
    if (text !== "true" && text !== "false") throw new Error(`${label} must be true or false.`);
    return text === "true";
  }
  if (type === "address") return toAddress(label, text);
  if (type.startsWith("bytes")) return toBytes(label, text, Number(type.slice(5) || Number.NaN));
  return type === "string" && typeof value === "string" ? value : text;
}

function toInteger(parameter: AbiParameter, text: string, units: readonly AmountUnit[]): bigint {
  const label = toLabel(parameter);
  const isSigned = parameter.type.startsWith("int");
  const bits = BigInt(/\d+/.exec(parameter.type)?.[0] ?? 256);
  const own = isTokenAmount(parameter) ? units.filter(({ isOwn }) => isOwn) : [];
  const value = parseAmount(text, own.length > 0 ? own : units, label);
  const most = (1n << (isSigned ? bits - 1n : bits)) - 1n;
  if (value < 0n && !isSigned) throw new Error(`${label} can’t be negative.`);
  if (value > most || value < -most - 1n) throw new Error(`${label} doesn’t fit in ${parameter.type}.`);
  return value;
}

function toAddress(label: string, text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw new Error(`${label} must be an address: 0x followed by 40 hex digits.`);
  }
  const isMixed = /[a-f]/.test(text) && /[A-F]/.test(text.slice(2));
  const checksummed = checksumAddress(text.toLowerCase() as `0x${string}`);
  if (isMixed && checksummed !== text) throw new Error(`${label} has an invalid checksum. Check it for typos.`);
  return checksummed;
}

/** `size` is NaN for the type `bytes`, which has no fixed length. */
function toBytes(label: string, text: string, size: number): string {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(text)) throw new Error(`${label} must be hex: 0x followed by two digits per byte.`);
  const given = (text.length - 2) / 2;
  if (!Number.isNaN(size) && given !== size) throw new Error(`${label} must have ${size} bytes, but has ${given}.`);
  return text;
}

function toTuple(parameter: AbiParameter, value: unknown, units: readonly AmountUnit[]) {
  const components = "components" in parameter ? parameter.components : [];
  const isList = Array.isArray(value);
  if (!isList && (typeof value !== "object" || value === null)) {
    throw new Error(`${toLabel(parameter)} must be a list or an object.`);
  }
  const given = (component: AbiParameter, at: number) =>
    isList ? value[at] : (value as Record<string, unknown>)[component.name ?? String(at)];
  const values = components.map((component, at) => toValue(component, given(component, at), units));
  // The encoder expects a tuple with unnamed components as an array, and other tuples as objects.
  if (components.every(({ name }) => !name)) return values;
  return Object.fromEntries(components.map(({ name }, at) => [name ?? String(at), values[at]]));
}
