/** Lists the functions for a contract's forms. A function whose ABI isn't known is listed by its selector only. */
import { type AbiFunction, type AbiParameter, toFunctionSelector } from "viem";

export type KnownFunction = { kind: "known"; selector: string; source: string; abi: AbiFunction };
export type ContractFunction = KnownFunction | { kind: "unknown"; selector: string };

export type NamedAbi = { name: string; abi: readonly unknown[] };

const isFunction = (item: unknown): item is AbiFunction =>
  typeof item === "object" && item !== null && (item as { type?: unknown }).type === "function";

/**
 * Returns the functions with these selectors, in order. If several ABIs contain the same selector, the first ABI is
 * used.
 */
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
 * Returns functions from pasted ABIs whose selectors were not found in the code. If the code has no standard
 * dispatcher, the selector search misses some functions. So if an ABI has at least one selector that was found, this
 * returns all of the ABI's other functions. If no selectors were found at all, it returns the functions of all ABIs.
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
/** Whether a function only returns a value, so that its selector is all of its calldata. */
export const isGetter = (abi: AbiFunction) => isReading(abi) && abi.inputs.length === 0;

/**
 * Whether a function is the getter of a constant, such as PERMIT_TYPEHASH. Constants say little about a contract, so
 * they are listed after other functions.
 */
const isConstant = (name: string) => /^[A-Z0-9_]+$/.test(name);

/**
 * Sorts by name, then by number of arguments. Constants come after other functions, and functions without a name come
 * last.
 */
export function sortFunctions<Each extends ContractFunction>(functions: readonly Each[]): Each[] {
  const toName = (each: Each) => (each.kind === "known" ? each.abi.name.toLowerCase() : each.selector);
  const toGroup = (each: Each) => (each.kind === "unknown" ? 2 : isConstant(each.abi.name) ? 1 : 0);
  const toCount = (each: Each) => (each.kind === "known" ? each.abi.inputs.length : 0);
  return functions.toSorted(
    (a, b) => toGroup(a) - toGroup(b) || toName(a).localeCompare(toName(b), "en") || toCount(a) - toCount(b),
  );
}

/** "address to, uint256 value", as in Solidity. */
export function toParameterText(parameters: AbiFunction["inputs"]): string {
  return parameters.map(({ name, ...parameter }) => `${toTypeText(parameter)}${name ? ` ${name}` : ""}`).join(", ");
}

export function toTypeText(parameter: AbiParameter): string {
  if (!("components" in parameter) || !parameter.type.startsWith("tuple")) return parameter.type;
  return `(${toParameterText(parameter.components)})${parameter.type.slice(5)}`;
}
