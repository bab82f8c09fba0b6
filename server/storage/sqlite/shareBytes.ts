/**
 * Copies short parameters of a statement into memory that all statements share. V8 stores a short array's bytes in the
 * array object, and binding the array would move each to its own memory, which takes hundreds of bytes. The result
 * is only valid until the next call, so run the statement first.
 */
import type { SqlValue } from "@/server/storage/sql";

/** V8 stores up to this many bytes in an array object. */
const shortLength = 64;
/** For each place in a statement, a view of that place's memory for each length. */
const views: Uint8Array[][] = [];

function createViews(): Uint8Array[] {
  const memory = new ArrayBuffer(shortLength);
  return Array.from({ length: shortLength + 1 }, (_, length) => new Uint8Array(memory, 0, length));
}

export function shareBytes(params: readonly SqlValue[]): SqlValue[] {
  return params.map((value, place) => {
    if (!(value instanceof Uint8Array) || value.length > shortLength) return value;
    views[place] ??= createViews();
    const view = views[place][value.length]!;
    view.set(value);
    return view;
  });
}
