/**
 * Decodes 32-byte ABI words, for read-only pages that need only a little decoding. Calldata and logs may contain
 * anything, so these functions never throw. They return undefined for data that doesn't fit.
 */
import { toShownText } from "@/lib/shownText";

/** The nth 32-byte word of a payload, as 64 hex digits. The payload doesn't include the selector. */
export function findWord(payload: string, index: number): string | undefined {
  const word = payload.slice(index * 64, index * 64 + 64);
  return word.length === 64 ? word : undefined;
}

/** The payload that follows the four selector bytes in calldata, without 0x. */
export function toPayload(input: string): string {
  return input.slice(10);
}

/** The address in a word. Undefined if the upper twelve bytes are not zero. */
export function findAddress(word: string | undefined): `0x${string}` | undefined {
  return word?.startsWith("0".repeat(24)) ? `0x${word.slice(24)}` : undefined;
}

export function findUint(word: string | undefined): bigint | undefined {
  return word === undefined ? undefined : BigInt(`0x${word}`);
}

/** Finds a dynamic value's length and the index of its first word. The word at `index` contains the value's offset. */
export function findTail(payload: string, index: number): { length: bigint; first: number } | undefined {
  const offset = findUint(findWord(payload, index));
  if (offset === undefined || offset % 32n !== 0n || offset > 1_000_000n) return undefined;
  const place = Number(offset) / 32;
  const length = findUint(findWord(payload, place));
  return length === undefined ? undefined : { length, first: place + 1 };
}

/** The bytes in a value of type string or bytes. The word at `index` contains the value's offset. */
export function findBytes(payload: string, index: number): Uint8Array | undefined {
  const tail = findTail(payload, index);
  if (!tail || tail.length > 1_000_000n) return undefined;
  const digits = payload.slice(tail.first * 64).slice(0, Number(tail.length) * 2);
  return digits.length === Number(tail.length) * 2 ? toBytes(digits) : undefined;
}

/** Converts an even number of hex digits, without 0x, to bytes. */
export function toBytes(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length >> 1);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/**
 * The start of a string, made safe to show. The word at `index` contains the string's offset. Undefined if the string
 * is empty.
 */
export function findShownString(payload: string, index: number, most: number): string | undefined {
  const tail = findTail(payload, index);
  if (!tail) return undefined;
  const bytes = tail.length > 16n * BigInt(most) ? 16 * most : Number(tail.length);
  return findShownText(toBytes(payload.slice(tail.first * 64).slice(0, 2 * bytes)), most);
}

/** The bytes as text that is safe to show. Undefined if they are not UTF-8, or if no safe text remains. */
export function findShownText(bytes: Uint8Array, most: number): string | undefined {
  try {
    // Stream mode ignores an incomplete last character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return toShownText(text, most) || undefined;
  } catch {
    return undefined;
  }
}

/** The bytes as text. Undefined if they are empty or aren't printable UTF-8. */
export function findText(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /^[\P{C}\n\r\t]+$/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The exact string that a contract returned. Early tokens return a bytes32 instead of a string. Undefined if the result
 * isn't printable text.
 */
export function findStringAnswer(answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const payload = answer.slice(2);
  const bytes = payload.length === 64 ? trimEnd(payload) : findBytes(payload, 0);
  return bytes && findText(bytes);
}

/** Like `findStringAnswer`, but the text is safe to show and limited in length. */
export function findShownAnswer(answer: string | undefined, most: number): string | undefined {
  if (answer === undefined) return undefined;
  const payload = answer.slice(2);
  return payload.length === 64 ? findShownText(trimEnd(payload), most) : findShownString(payload, 0, most);
}

function trimEnd(word: string): Uint8Array {
  const digits = word.replace(/(00)+$/, "");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
