/**
 * Decoded data, as it's sent over JSON-RPC and used in components. Every value is text or a list of named values, so
 * nothing here needs an ABI library. Integers are in decimal, and addresses are in lowercase.
 */
import { isAddress, toShortHex } from "@/lib/address";

export type DecodedValue = {
  /** The parameter's name. Empty if the ABI doesn't name it. */
  name: string;
  /** The Solidity type name. For tuples, a list such as "(uint256,address)". */
  type: string;
  value: string | DecodedValue[];
  /** True for an event's indexed parameters, whose values are in its topics. */
  indexed?: boolean | undefined;
  /** The decoded call, if the value is calldata for a known function. */
  call?: Decoded | undefined;
};

export type Decoded = {
  name: string;
  /** Canonical: "transfer(address,uint256)". */
  signature: string;
  /** The names of the interfaces that declare this signature, such as "ERC-20". */
  interfaces: string[];
  values: DecodedValue[];
  /** The call's return values, if the return data matches their types. */
  results?: DecodedValue[] | undefined;
  /**
   * True if encoding these values again doesn't give the same bytes. In that case, only the selector is certain to
   * match.
   */
  guess: boolean;
};

/** One piece of data to decode. */
export type DecodeItem =
  | { kind: "call"; data: string; result?: string | undefined }
  | { kind: "event"; topics: string[]; data: string }
  | { kind: "error"; data: string };

/** Formats a value that is not a list on one line. */
type FormatValue = (value: DecodedValue & { value: string }) => string;

/** Formats a call on one line, such as "transfer(to: 0x…, amount: 5)". */
export function toDecodedLine({ name, values }: Decoded, format: FormatValue = toShortValue): string {
  const args = listArguments(values, format).map((each) =>
    each.name === "" ? each.text : `${each.name}: ${each.text}`,
  );
  return `${name}(${args.join(", ")})`;
}

/** The name of each value, and the value on one line. */
export function listArguments(values: readonly DecodedValue[], format: FormatValue): { name: string; text: string }[] {
  return values.map((value) => ({ name: value.name, text: toValueLine(value, format) }));
}

function toValueLine(value: DecodedValue, format: FormatValue): string {
  if (typeof value.value === "string") return format({ ...value, value: value.value });
  return value.value.length > 4
    ? `[${value.value.length}]`
    : `[${value.value.map((item) => toValueLine(item, format)).join(", ")}]`;
}

/** Values with more characters than this are shortened, because they share a line. */
const lineCharacters = 20;

export function toShortValue({ value }: { value: string }): string {
  if (isAddress(value)) return toShortHex(value);
  return value.length <= lineCharacters ? value : `${value.slice(0, lineCharacters / 2)}…${value.slice(-4)}`;
}
