/**
 * Converts domain values to column values and back. Hashes and addresses are bytes; numbers are an `int`, a sortable
 * 32-byte `big` or a minimal `scalar` (see schema.ts).
 */
import { toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import type { Hash, Hex } from "@/server/ethereum/types";
import type { SqlValue } from "@/server/storage/sql";

/**
 * The number of indices available in each block. A log costs at least 379 gas, so a block with more logs would need
 * over 1.5 billion gas. With this value, the positions in the first 2^31 blocks are safe integers.
 */
export const POSITION_SPAN = 2 ** 22;
/** A bound that is greater than every position. */
export const POSITION_END = Number.MAX_SAFE_INTEGER;

/**
 * Combines a block number and an index within the block into one number that sorts in chain order. Throws RangeError if
 * either is out of range.
 */
export function toPosition(block: number, index: number): number {
  if (!(index >= 0 && index < POSITION_SPAN && block >= 0 && block < 2 ** 31)) {
    throw new RangeError(`Index ${index} of block ${block} is outside the range the database can store.`);
  }
  return block * POSITION_SPAN + index;
}

export function toBlockNumber(position: number): number {
  return Math.floor(position / POSITION_SPAN);
}

export function toIndex(position: number): number {
  return position % POSITION_SPAN;
}

/** Converts a gas or size counter to an `int` column. Throws RangeError above 2^53 - 1. */
export function toInt(value: bigint): number {
  const int = Number(value);
  if (!Number.isSafeInteger(int)) throw new RangeError(`${value} is too large for an integer column.`);
  return int;
}

/** Converts an unsigned number below 2^256 to a `big` column. */
export function toBig(value: bigint): Uint8Array {
  return toBytes(`0x${value.toString(16).padStart(64, "0")}`);
}

/** Returns the word without its leading zero bytes. */
export function toTrimmed(word: Hash): Uint8Array {
  const bytes = toBytes(word);
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  return bytes.slice(start);
}

/** Restores the 32-byte word that was passed to `toTrimmed`. */
export function fromTrimmed(bytes: Uint8Array): Hash {
  return `0x${toHex(bytes).slice(2).padStart(64, "0")}`;
}

/** Converts a value if there is one. Returns NULL for undefined. */
export function orNull<T>(value: T | undefined, convert: (value: T) => SqlValue): SqlValue {
  return value === undefined ? null : convert(value);
}

export const optionalBytes = (value: Hex | undefined) => orNull(value, toBytes);
export const optionalScalar = (value: bigint | undefined) => orNull(value, toScalar);

/** Returns an object with one property, or an empty object if the column is NULL. */
export function present<K extends string, V, T>(name: K, value: V | null, convert: (value: V) => T): { [P in K]?: T } {
  return value === null ? {} : ({ [name]: convert(value) } as { [P in K]?: T });
}

/**
 * Selects bytes as a 0x hex string, because SQLite's driver returns strings several times faster than bytes. Don't use
 * this for columns that can be NULL, because SQLite's hex() turns NULL into "".
 */
export const hexOf = (column: string, name = column.slice(column.indexOf(".") + 1)) =>
  `'0x' || lower(hex(${column})) as ${name}`;

/**
 * Selects bytes as a string of hex digits, because SQLite's driver returns strings faster than bytes. `fromDigits`
 * decodes them.
 */
export const digitsOf = (column: string, name = column.slice(column.indexOf(".") + 1)) => `hex(${column}) as ${name}`;

/** Returns the bytes of a column that was selected with `digitsOf`. */
export function fromDigits(digits: string): Uint8Array {
  return plain(Buffer.from(digits, "hex"));
}

/** Returns the number in a `scalar` or `big` column that was selected with `hexOf`. */
export function fromHexScalar(hex: Hex): bigint {
  return hex === "0x" ? 0n : BigInt(hex);
}

/** Converts a column's bytes to a plain Uint8Array. Drivers return Buffers, whose `slice()` behaves differently. */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
