/**
 * Reads typed fields from decoded RLP. Each reader rejects a value that isn't the canonical form of its type; the error
 * message names the field.
 */

import { RlpError, type RlpItem } from "@/lib/rlp";
import { toBigInt, toHex } from "@/server/ethereum/codec/bytes";
import type { Hex } from "@/server/ethereum/types";

export function asList(item: RlpItem | undefined, name: string, lengths?: readonly number[]): RlpItem[] {
  if (!Array.isArray(item)) throw new RlpError(`The ${name} is not a list.`);
  if (lengths && !lengths.includes(item.length)) {
    throw new RlpError(`The ${name} has ${item.length} fields instead of ${lengths.join(" or ")}.`);
  }
  return item;
}

export function asBytes(item: RlpItem | undefined, name: string, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new RlpError(`The ${name} is not a byte string.`);
  if (length !== undefined && item.length !== length) {
    throw new RlpError(`The ${name} has ${item.length} bytes instead of ${length}.`);
  }
  return item;
}

/** A byte string as hex. If `length` is given, the byte string must have that length. */
export function asHex(item: RlpItem | undefined, name: string, length?: number): Hex {
  return toHex(asBytes(item, name, length));
}

/** An unsigned integer of at most this many bits. */
export function asInteger(item: RlpItem | undefined, name: string, bits: number): bigint {
  const bytes = asBytes(item, name);
  if (bytes[0] === 0) throw new RlpError(`The ${name} has leading zeros.`);
  if (bytes.length * 8 > bits) throw new RlpError(`The ${name} is larger than ${bits} bits.`);
  return toBigInt(bytes);
}

/** An unsigned integer within JavaScript's safe range. */
export function asNumber(item: RlpItem | undefined, name: string): number {
  const value = Number(asInteger(item, name, 64));
  if (!Number.isSafeInteger(value)) throw new RlpError(`The ${name} is larger than 2^53.`);
  return value;
}
