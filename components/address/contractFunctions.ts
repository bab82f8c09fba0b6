/**
 * The functions that a contract's forms list, from an ABI or by selector only. Converts typed text to the encoder's
 * values, and rejects invalid text with a clear message.
 */
import { type AbiFunction, type AbiParameter, toFunctionSelector } from "viem";

export type KnownFunction = { kind: "known"; selector: string; source: string; abi: AbiFunction };
export type ContractFunction = KnownFunction | { kind: "unknown"; selector: string };

export type NamedAbi = { name: string; abi: readonly unknown[] };

const isFunction = (item: unknown): item is AbiFunction =>
  typeof item === "object" && item !== null && (item as { type?: unknown }).type === "function";

/** The functions with these selectors, in order. If several ABIs have a selector, the first one wins. */
export function listFunctions(selectors: readonly string[], abis: readonly NamedAbi[]): ContractFunction[] {
  const known = new Map<string, KnownFunction>();
  for (const { name, abi } of abis) {
    for (const item of abi.filter(isFunction)) {
      const selector = toFunctionSelector(item);
      if (!known.has(selector)) known.set(selector, { kind: "known", selector, source: name, abi: item });
    }
  }
  return selectors.map((selector) => known.get(selector) ?? { kind: "unknown", selector });
}

/**
 * Functions from pasted ABIs whose selectors were not found in the code. The search misses selectors if the code has no
 * standard dispatcher, so all of an ABI's functions are listed if one of them was found, or if no selectors were found
 * at all.
 */
export function listFurtherFunctions(selectors: readonly string[], abis: readonly NamedAbi[]): KnownFunction[] {
  const further = new Map<string, KnownFunction>();
  for (const { name, abi } of abis) {
    const functions = abi.filter(isFunction).map((item) => ({ selector: toFunctionSelector(item), item }));
    const fits = selectors.length === 0 || functions.some(({ selector }) => selectors.includes(selector));
    if (!fits) continue;
    for (const { selector, item } of functions) {
      if (selectors.includes(selector) || further.has(selector)) continue;
      further.set(selector, { kind: "known", selector, source: name, abi: item });
    }
  }
  return [...further.values()];
}

export const isReading = ({ stateMutability }: AbiFunction) => stateMutability === "view" || stateMutability === "pure";

/** Converts typed text for the encoder. Throws an Error with a message for the user. */
export function toArgument(parameter: AbiParameter, text: string): unknown {
  const typed = text.trim();
  if (/(\]$|^tuple)/.test(parameter.type)) {
    try {
      return toValue(parameter, JSON.parse(typed));
    } catch (error) {
      throw new Error(
        `${parameter.type} must be JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}`,
      );
    }
  }
  return toValue(parameter, typed);
}

function toValue(parameter: AbiParameter, value: unknown): unknown {
  const { type } = parameter;
  const inner = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (inner !== undefined) {
    if (!Array.isArray(value)) throw new Error(`${type} must be a list.`);
    return value.map((each) => toValue({ ...parameter, type: inner } as AbiParameter, each));
  }
  if (type === "tuple" && "components" in parameter) return toTuple(parameter.components, value);
  const text = typeof value === "string" ? value.trim() : String(value);
  if (/^u?int/.test(type)) {
    if (!/^-?(\d+|0x[0-9a-fA-F]+)$/.test(text)) throw new Error(`${parameter.name || type} must be a whole number.`);
    return BigInt(text);
  }
  if (type === "bool") {
    if (text !== "true" && text !== "false") throw new Error("bool must be true or false.");
    return text === "true";
  }
  return type === "string" && typeof value === "string" ? value : text;
}

function toTuple(components: readonly AbiParameter[], value: unknown): Record<string, unknown> | unknown[] {
  const isList = Array.isArray(value);
  if (!isList && (typeof value !== "object" || value === null)) throw new Error("tuple must be a list or an object.");
  const given = (component: AbiParameter, at: number) =>
    isList ? value[at] : (value as Record<string, unknown>)[component.name ?? String(at)];
  const values = components.map((component, at) => toValue(component, given(component, at)));
  // The encoder takes a tuple with unnamed components as an array, and any other tuple as an object.
  if (components.every(({ name }) => !name)) return values;
  return Object.fromEntries(components.map(({ name }, at) => [name ?? String(at), values[at]]));
}

/** Formats a decoded result as text, without shortening numbers. */
export function toResultText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? each.toString() : each), 2) ?? "";
}
