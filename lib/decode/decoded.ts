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

/**
 * Formats a call on one line, such as "transfer(to: 0x…, amount: 5)". Each value is truncated to the given number of
 * characters.
 */
export function toDecodedLine({ name, values }: Decoded, characters = 20): string {
  return `${name}(${values.map((value) => toArgument(value, characters)).join(", ")})`;
}

function toArgument({ name, value }: DecodedValue, characters: number): string {
  const text = toValueLine(value, characters);
  return name === "" ? text : `${name}: ${text}`;
}

function toValueLine(value: DecodedValue["value"], characters: number): string {
  if (typeof value !== "string") {
    return value.length === 0
      ? "[]"
      : value.length > 4
        ? `[${value.length}]`
        : `[${value.map((item) => toValueLine(item.value, characters)).join(", ")}]`;
  }
  if (isAddress(value)) return toShortHex(value);
  return value.length <= characters ? value : `${value.slice(0, Math.ceil(characters / 2))}…${value.slice(-4)}`;
}
