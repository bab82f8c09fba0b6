/**
 * Bytes, hex and integers as the consensus encodings use them. Hex is lowercase; an integer is big-endian without
 * leading zeros, and zero is no byte at all (RLP's scalar).
 */
import type { Hash, Hex } from "@/server/chain/types";

/** Lowercase 0x hex of the bytes. */
export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`;
}

/** The bytes of 0x hex, in an ArrayBuffer of their own. Throws RangeError on anything else. */
export function toBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array((hex.length - 2) >>> 1);
  // Buffer.write stops at the first character that is not hex, so the count tells whether all of it was.
  const written = Buffer.from(bytes.buffer).write(hex.slice(2), "hex");
  if (!hex.startsWith("0x") || hex.length % 2 !== 0 || written !== bytes.length) {
    throw new RangeError("Not a 0x-prefixed hex string of whole bytes.");
  }
  return bytes;
}

/** The integer that big-endian bytes stand for; zero for no bytes. */
export function toBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  if (bytes.length <= 6) {
    let value = 0;
    for (const byte of bytes) value = value * 256 + byte;
    return BigInt(value);
  }
  return BigInt(toHex(bytes));
}

/** Minimal big-endian bytes of an integer of zero or more. */
export function toScalar(value: bigint | number): Uint8Array {
  if (value === 0n || value === 0) return new Uint8Array(0);
  const digits = value.toString(16);
  return toBytes(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`);
}

/** An integer below 2^256 as 32 bytes of hex. */
export function toWord(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
