/**
 * Decodes calldata, logs and revert data using ABIs. This file imports viem, which is large, so browsers load it only
 * for pasted ABIs. Decoding never throws on chain data; the result is empty if no ABI matches.
 */
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import type { Decoded, DecodedValue, DecodeItem } from "@/lib/decode/decoded";
import { toShownText } from "@/lib/shownText";

export type Interface = { name: string; abi: Abi };

export type Decoder = {
  /** Every interpretation that fits the data, exact ones first. Empty if none fits. */
  decode(item: DecodeItem): Decoded[];
  /** The function with this selector, from the first interface that declares it. */
  findFunction(selector: string): { name: string; signature: string } | undefined;
  /** The selectors of the functions with this name. */
  listSelectors(name: string): Hex[];
};

type Entry = {
  name: string;
  signature: string;
  interfaces: string[];
  inputs: readonly AbiParameter[];
  outputs: readonly AbiParameter[];
};

/** The maximum number of characters that pages show for a decoded string. */
const longestString = 10_000;
/** How many levels of nested calldata are decoded. */
const deepestCall = 4;

/** Throws if an interface's ABI is malformed. */
export function createDecoder(interfaces: readonly Interface[]): Decoder {
  const calls = new Map<string, Entry[]>();
  const events = new Map<string, Entry[]>();
  const errors = new Map<string, Entry[]>();
  for (const { name, abi } of interfaces) {
    for (const item of abi) {
      if (item.type !== "function" && item.type !== "event" && item.type !== "error") continue;
      // Older compilers and hand-written ABIs omit lists that are empty.
      const entry = toEntry(item.name, item.inputs ?? [], (item.type === "function" && item.outputs) || []);
      const table = item.type === "function" ? calls : item.type === "event" ? events : errors;
      const key = item.type === "event" ? toEventSelector(entry.signature) : toFunctionSelector(entry.signature);
      add(table, key, entry, name);
    }
  }

  function decodeCall(data: string, result: string | undefined, depth: number): Decoded[] {
    const readings = decodeSelected(calls, data, depth);
    if (result === undefined || result === "0x") return readings.map(({ reading }) => reading);
    return readings.map(({ entry, reading }) => {
      const results = entry.outputs.length > 0 ? findValues(entry.outputs, result as Hex) : undefined;
      return results ? { ...reading, results: toValues(entry.outputs, results.values, depth) } : reading;
    });
  }

  function decodeSelected(table: Map<string, Entry[]>, data: string, depth: number) {
    if (data.length < 10) return [];
    const payload = `0x${data.slice(10)}` as Hex;
    const found = (table.get(data.slice(0, 10).toLowerCase()) ?? []).flatMap((entry) => {
      const decoded = findValues(entry.inputs, payload);
      if (decoded === undefined) return [];
      const values = toValues(entry.inputs, decoded.values, depth);
      return [{ entry, reading: toReading(entry, values, !decoded.exact) }];
    });
    return found.toSorted((a, b) => Number(a.reading.guess) - Number(b.reading.guess));
  }

  function decodeEvent(topics: readonly string[], data: string): Decoded[] {
    return (events.get(topics[0]?.toLowerCase() ?? "") ?? []).flatMap((entry) => {
      const inputs = entry.inputs as AbiEvent["inputs"];
      const indexed = inputs.filter((input) => input.indexed);
      const plain = inputs.filter((input) => !input.indexed);
      if (indexed.length !== topics.length - 1) return [];
      const decoded = findValues(plain, data as Hex);
      if (decoded === undefined) return [];
      // If an indexed parameter has a dynamic type, its topic is a hash of the value.
      const hashed = indexed.map((input) => (isDynamic(input) ? { ...input, type: "bytes32" } : input));
      const topicValues = hashed.map((input, index) => findValues([input], topics[index + 1] as Hex));
      if (topicValues.some((value) => value === undefined)) return [];
      let nextTopic = 0;
      let nextPlain = 0;
      const values = inputs.map((input) => {
        if (!input.indexed) return toValue(input, decoded.values[nextPlain++], 0);
        const at = nextTopic++;
        return { ...toValue(hashed[at]!, topicValues[at]!.values[0], 0), indexed: true };
      });
      return [toReading(entry, values, !decoded.exact)];
    });
  }

  function toValues(parameters: readonly AbiParameter[], values: readonly unknown[], depth: number) {
    return parameters.map((parameter, index) => toValue(parameter, values[index], depth));
  }

  function toValue(parameter: AbiParameter, value: unknown, depth: number): DecodedValue {
    const base = { name: parameter.name ?? "", type: toTypeName(parameter) };
    const array = /^(.*)\[\d*\]$/.exec(parameter.type);
    if (array) {
      const element = { ...parameter, type: array[1]!, name: "" } as AbiParameter;
      return { ...base, value: (value as unknown[]).map((item) => toValue(element, item, depth)) };
    }
    if ("components" in parameter && parameter.type === "tuple") {
      const members = value as unknown[] & Record<string, unknown>;
      const list = parameter.components.map((component, index) =>
        toValue(component, Array.isArray(value) ? members[index] : members[component.name ?? ""], depth),
      );
      return { ...base, value: list };
    }
    if (parameter.type === "bytes") {
      const bytes = value as string;
      // Bytes count as a call only if they consist of a selector and whole words, and decode exactly.
      const isCall = depth < deepestCall && bytes.length >= 10 && (bytes.length - 10) % 64 === 0;
      const call = isCall ? decodeCall(bytes, undefined, depth + 1).find(({ guess }) => !guess) : undefined;
      return call ? { ...base, value: bytes, call } : { ...base, value: bytes };
    }
    if (parameter.type === "string") return { ...base, value: toShownText(value as string, longestString) };
    return { ...base, value: String(value).toLowerCase() };
  }

  return {
    decode(item) {
      if (item.kind === "call") return decodeCall(item.data, item.result, 0);
      if (item.kind === "event") return decodeEvent(item.topics, item.data);
      return decodeSelected(errors, item.data, 0).map(({ reading }) => reading);
    },
    findFunction: (selector) => calls.get(selector.toLowerCase())?.[0],
    listSelectors: (name) => listSelectors(calls, name),
  };
}

function listSelectors(calls: Map<string, Entry[]>, name: string): Hex[] {
  return [...calls].flatMap(([selector, entries]) =>
    entries.some((each) => each.name === name) ? [selector as Hex] : [],
  );
}

function toEntry(name: string, inputs: readonly AbiParameter[], outputs: readonly AbiParameter[]): Entry {
  return { name, signature: `${name}(${inputs.map(toTypeName).join(",")})`, interfaces: [], inputs, outputs };
}

/**
 * Adds a declaration. If several interfaces have the same declaration, they share an entry, unless their indexed
 * parameters differ.
 */
function add(table: Map<string, Entry[]>, key: string, entry: Entry, interfaceName: string): void {
  const entries = table.get(key) ?? [];
  const toIndexed = ({ inputs }: Entry) =>
    inputs.map((input) => ("indexed" in input && input.indexed ? "1" : "0")).join("");
  const same = entries.find((known) => known.signature === entry.signature && toIndexed(known) === toIndexed(entry));
  if (same) {
    if (!same.interfaces.includes(interfaceName)) same.interfaces.push(interfaceName);
    return;
  }
  table.set(key, [...entries, { ...entry, interfaces: [interfaceName] }]);
}

function toReading({ name, signature, interfaces }: Entry, values: DecodedValue[], guess: boolean): Decoded {
  return { name, signature, interfaces, values, guess };
}

/** Returns the canonical type name, such as "(address,uint256)[]" for an array of tuples. */
function toTypeName(parameter: AbiParameter): string {
  if (!("components" in parameter) || !parameter.type.startsWith("tuple")) return parameter.type;
  return `(${parameter.components.map(toTypeName).join(",")})${parameter.type.slice(5)}`;
}

function isDynamic(parameter: AbiParameter): boolean {
  return parameter.type === "string" || parameter.type === "bytes" || /\]$|^tuple/.test(parameter.type);
}

/**
 * Decodes the values. `exact` is true if encoding them again gives the same bytes. Returns undefined if the bytes don't
 * fit the types.
 */
function findValues(
  parameters: readonly AbiParameter[],
  data: Hex,
): { values: readonly unknown[]; exact: boolean } | undefined {
  if (parameters.length === 0) return { values: [], exact: data === "0x" };
  try {
    const values = decodeAbiParameters(parameters, data) as readonly unknown[];
    const again = encodeAbiParameters(parameters, values as never);
    if (again === data.toLowerCase()) return { values, exact: true };
    // Extra bytes at the end don't prevent decoding, but the result isn't exact.
    return { values, exact: false };
  } catch {
    return undefined;
  }
}
