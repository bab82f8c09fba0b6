/**
 * Code in the form that the interpreter runs: its length, the address of its jump destination bitmap (once computed),
 * and its bytes. Zeros follow the bytes, so running past the end reaches a STOP.
 */
import { full } from "./host";
import { codesBase, codesEnd, ensure, Region, Status, STATUS } from "./layout";

export const C_LENGTH: usize = 0;
export const C_BITMAP: usize = 4;
/**
 * C_TIER is the index of the compiled code in the function table, or zero. C_PLACES is the address of a table that
 * contains the compiled code's entry point for each program counter.
 */
export const C_TIER: usize = 8;
export const C_PLACES: usize = 12;
/**
 * Before the host is asked to compile the code, this value measures how much the code has run. After that, it's nonzero
 * if the code has run since the field was last cleared.
 */
export const C_HEAT: usize = 16;
/**
 * The code's bytes. Reading a short PUSH operand also loads the bytes before it, so the memory before the code must be
 * readable.
 */
export const C_BYTES: usize = 64;
/** If the last byte is a PUSH32, the interpreter reads 32 bytes beyond the code and then the next opcode. */
const PADDING: usize = 40;

/** If C_HEAT has this value, the code is never compiled. */
export const NEVER: u32 = 0xffff_ffff;

let top: usize = 0;

/** Drops all code. The host also drops what it recorded about the entries. */
export function clearCodes(): void {
  top = codesBase;
  publish();
}

function publish(): void {
  store<u32>(STATUS, <u32>(codesEnd - top), Status.CODE_LEFT);
}

@inline
function bitmapPlace(entry: usize, length: usize): usize {
  return (entry + C_BYTES + length + PADDING + 7) & ~7;
}

/** The size in bytes of an entry for code of this length. */
@inline
export function entrySize(length: usize): usize {
  return ((C_BYTES + length + PADDING + 7) & ~7) + ((((length + 7) >> 3) + 15) & ~7);
}

/** Creates an entry with room for this many bytes, which the caller writes. The entry stays until `clearCodes()`. */
export function allocateCode(length: usize): usize {
  const size = entrySize(length);
  if (size > codesEnd - top) full(Region.CODES);
  const entry = top;
  top += size;
  publish();
  prepare(entry, length);
  return entry;
}

function prepare(entry: usize, length: usize): void {
  store<u32>(entry, <u32>length, C_LENGTH);
  store<u32>(entry, 0, C_BITMAP);
  store<u32>(entry, 0, C_TIER);
  store<u32>(entry, 0, C_HEAT);
  memory.fill(entry + C_BYTES + length, 0, PADDING);
}

/**
 * Creates an entry at an address that the caller chooses, for code that runs only once. Returns false if there isn't
 * enough memory.
 */
export function placeCode(entry: usize, from: usize, length: usize): bool {
  if (!ensure(<u64>entry + entrySize(length))) return false;
  memory.copy(entry + C_BYTES, from, length);
  prepare(entry, length);
  store<u32>(entry, NEVER, C_HEAT);
  return true;
}

/** Allocates this many bytes in the code region. They stay until `clearCodes()`. Returns zero if there's no room. */
export function allocateBytes(length: usize): usize {
  const size = (length + 7) & ~7;
  if (size > codesEnd - top) return 0;
  const place = top;
  top += size;
  publish();
  return place;
}

/** Finds the jump destinations (Yellow Paper 9.4.3) and returns their bitmap. */
export function analyse(entry: usize): usize {
  const length = <usize>load<u32>(entry, C_LENGTH);
  const bitmap = bitmapPlace(entry, length);
  memory.fill(bitmap, 0, (length + 7) >> 3);
  const bytes = entry + C_BYTES;
  for (let i: usize = 0; i < length; i++) {
    const op = <usize>load<u8>(bytes + i);
    if (op == 0x5b) {
      const at = bitmap + (i >> 3);
      store<u8>(at, load<u8>(at) | <u8>((<u32>1) << (<u32>i & 7)));
    } else if (op >= 0x60 && op <= 0x7f) i += op - 0x5f;
  }
  store<u32>(entry, <u32>bitmap, C_BITMAP);
  return bitmap;
}

/** EIP-7702: whether the code delegates to another account. */
export function isDelegation(entry: usize): bool {
  return load<u32>(entry, C_LENGTH) == 23 && (load<u32>(entry, C_BYTES) & 0xff_ffff) == 0x0001ef;
}
