/**
 * Recursive Length Prefix, Yellow Paper appendix B. Decoding rejects encodings that aren't canonical, and limits how
 * deeply lists may be nested. So hostile input takes at most linear time.
 */

export type RlpItem = Uint8Array | RlpItem[];

/** Thrown if bytes are not canonical RLP. */
export class RlpError extends Error {
  override name = "RlpError";
}

/**
 * The most deeply nested valid data has five levels: blob transaction with sidecar, transaction, access list, entry,
 * keys.
 */
export const maxRlpDepth = 8;

/** The length of an item's encoding, in bytes. */
export function rlpLength(item: RlpItem): number {
  if (item instanceof Uint8Array) {
    return item.length === 1 && item[0]! < 0x80 ? 1 : prefixLength(item.length) + item.length;
  }
  const payload = payloadLength(item);
  return prefixLength(payload) + payload;
}

/** The canonical encoding of an item. */
export function encodeRlp(item: RlpItem): Uint8Array {
  const out = new Uint8Array(rlpLength(item));
  write(item, out, 0);
  return out;
}

/**
 * Decodes one item that fills the input. Byte strings are views into the input. Throws RlpError if the input is not
 * canonical or has bytes after the item.
 */
export function decodeRlp(input: Uint8Array): RlpItem {
  const reader = { input, offset: 0 };
  const item = read(reader, input.length, 0);
  if (reader.offset !== input.length) throw new RlpError("RLP has trailing bytes.");
  return item;
}

/** Splits a sequence of encoded items, such as a chain file, into one view per item. */
export function splitRlp(input: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let offset = 0;
  while (offset < input.length) {
    const head = readRlpHead(input, offset, input.length);
    parts.push(input.subarray(offset, head.start + head.length));
    offset = head.start + head.length;
  }
  return parts;
}

function payloadLength(list: RlpItem[]): number {
  let length = 0;
  for (const item of list) length += rlpLength(item);
  return length;
}

function prefixLength(length: number): number {
  return length < 56 ? 1 : 1 + bytesOf(length);
}

function bytesOf(length: number): number {
  return length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4;
}

function write(item: RlpItem, out: Uint8Array, start: number): number {
  if (item instanceof Uint8Array) {
    if (item.length === 1 && item[0]! < 0x80) {
      out[start] = item[0]!;
      return start + 1;
    }
    const offset = writePrefix(item.length, 0x80, out, start);
    out.set(item, offset);
    return offset + item.length;
  }
  let offset = writePrefix(payloadLength(item), 0xc0, out, start);
  for (const child of item) offset = write(child, out, offset);
  return offset;
}

function writePrefix(length: number, base: number, out: Uint8Array, start: number): number {
  if (length < 56) {
    out[start] = base + length;
    return start + 1;
  }
  const count = bytesOf(length);
  out[start] = base + 55 + count;
  for (let i = 0; i < count; i++) out[start + 1 + i] = (length >>> (8 * (count - 1 - i))) & 0xff;
  return start + 1 + count;
}

/** `start` is the offset of the payload. */
export type RlpHead = { isList: boolean; start: number; length: number };

/** Reads the prefix of the item at `offset`. Throws RlpError if it is not canonical or the item goes past `end`. */
export function readRlpHead(input: Uint8Array, offset: number, end: number): RlpHead {
  const first = input[offset];
  if (first === undefined || offset >= end) throw new RlpError("RLP is truncated.");
  if (first < 0x80) return { isList: false, start: offset, length: 1 };
  const isList = first >= 0xc0;
  const short = first - (isList ? 0xc0 : 0x80);
  let start = offset + 1;
  let length = short;
  if (short > 55) {
    const count = short - 55;
    start += count;
    if (start > end) throw new RlpError("RLP is truncated.");
    if (input[offset + 1] === 0) throw new RlpError("RLP length has a leading zero.");
    // A length with more bytes would exceed the size of any input.
    if (count > 6) throw new RlpError("RLP is truncated.");
    length = 0;
    for (let i = offset + 1; i < start; i++) length = length * 256 + input[i]!;
    if (length < 56) throw new RlpError("RLP length is not in its shortest form.");
  }
  if (start + length > end) throw new RlpError("RLP is truncated.");
  if (!isList && short === 1 && input[start]! < 0x80) throw new RlpError("RLP byte is not in its shortest form.");
  return { isList, start, length };
}

function read(reader: { input: Uint8Array; offset: number }, end: number, depth: number): RlpItem {
  const head = readRlpHead(reader.input, reader.offset, end);
  const itemEnd = head.start + head.length;
  if (!head.isList) {
    reader.offset = itemEnd;
    return reader.input.subarray(head.start, itemEnd);
  }
  if (depth === maxRlpDepth) throw new RlpError("RLP is nested too deeply.");
  const items: RlpItem[] = [];
  reader.offset = head.start;
  while (reader.offset < itemEnd) items.push(read(reader, itemEnd, depth + 1));
  return items;
}
