/**
 * Bytes, hex and integers in the form that the consensus encodings use. Hex is lowercase. An integer is big-endian
 * without leading zeros, and zero is the empty byte string (RLP's scalar).
 */
import type { Hash, Hex } from "@/server/ethereum/types";

/** Lowercase 0x hex of the bytes. */
export function toHex(bytes: Uint8Array): Hex {
  const { length } = bytes;
  // Doesn't wrap the bytes in Buffer.from(), because creating a view costs more than encoding the digits.
  if (length > shortLength) return `0x${hexSlice.call(bytes, 0, length)}`;
  short.set(bytes);
  return `0x${hexSlice.call(short, 0, length)}`;
}

const { hexSlice } = Buffer.prototype;
/**
 * V8 stores up to this many bytes in the array object itself. `hexSlice` would move them to separate memory, which
 * takes longer than copying them and uses hundreds of bytes per array.
 */
const shortLength = 64;
const short = Buffer.alloc(shortLength);

/** Maps a character code to the value of that hex digit, or to 16 if the character isn't a hex digit. */
const digits = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? 16 : digit;
});
/** Above this many characters, Node's own decoder is faster. */
const longDigits = 256;

/** The bytes of 0x hex, in their own ArrayBuffer. Throws RangeError if the input isn't hex. */
export function toBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array((hex.length - 2) >>> 1);
  const isWhole = hex.length > longDigits ? writeLong(bytes, hex) : writeShort(bytes, hex);
  if (!isWhole || !hex.startsWith("0x") || hex.length % 2 !== 0) {
    throw new RangeError("The value is not a 0x-prefixed hex string with an even number of digits.");
  }
  return bytes;
}

function writeShort(bytes: Uint8Array, hex: string): boolean {
  let seen = 0;
  for (let i = 0, at = 2; i < bytes.length; i++, at += 2) {
    const high = digits[hex.charCodeAt(at)] ?? 16;
    const low = digits[hex.charCodeAt(at + 1)] ?? 16;
    seen |= high | low;
    bytes[i] = (high << 4) | low;
  }
  return seen < 16;
}

/** Buffer.write stops at the first character that isn't hex, so the count shows whether all of the input was hex. */
function writeLong(bytes: Uint8Array, hex: string): boolean {
  return Buffer.from(bytes.buffer).write(hex.slice(2), "hex") === bytes.length;
}

/** Decodes a big-endian integer. An empty array means zero. */
export function toBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  if (bytes.length <= 6) {
    let value = 0;
    for (const byte of bytes) value = value * 256 + byte;
    return BigInt(value);
  }
  return BigInt(toHex(bytes));
}

/** Encodes a non-negative integer as big-endian bytes without leading zeros. */
export function toScalar(value: bigint | number): Uint8Array {
  if (value === 0n || value === 0) return new Uint8Array(0);
  const digits = value.toString(16);
  return toBytes(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`);
}

/** The value of a slot that has never been written. */
export const zeroWord: Hash = `0x${"00".repeat(32)}`;

/** Encodes an integer below 2^256 as 32 bytes of hex. */
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

/**
 * Copies the byte arrays into one shared buffer and returns a view of each. Transferring them to another thread then
 * moves only one buffer.
 */
export function gather(parts: readonly Uint8Array[]): Uint8Array[] {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  return parts.map((part) => {
    whole.set(part, offset);
    offset += part.length;
    return whole.subarray(offset - part.length, offset);
  });
}

/** The size of the buffers that packed arrays share. */
const packBytes = 16_384;

/**
 * Returns a function that copies byte arrays into shared buffers and returns views. An array with its own buffer
 * takes hundreds of bytes more.
 */
export function createPacker(): (part: Uint8Array) => Uint8Array {
  let buffer = new Uint8Array();
  let used = 0;
  return (part) => {
    if (used + part.length > buffer.length) {
      buffer = new Uint8Array(Math.max(packBytes, part.length));
      used = 0;
    }
    buffer.set(part, used);
    used += part.length;
    return buffer.subarray(used - part.length, used);
  };
}
