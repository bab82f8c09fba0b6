/**
 * A cursor over the blocks in which one address or topic occurs, ascending. It reads ahead in growing pages and seeks
 * forward only, so that a rare term lets the walk of a frequent one skip what lies between.
 */
import { type Steps, step } from "@/server/storage/awaitable";
import type { SqlReader } from "@/server/storage/sql";

const firstPage = 8;
const lastPage = 512;

const page = "select block, places from log_term where term = ? and block >= ? and block <= ? order by block limit ?";

export type TermRow = { block: number; places: Uint8Array };

export type TermCursor = {
  /** The row the cursor stands at; undefined before the first seek and after the last row. */
  current(): TermRow | undefined;
  /** Moves to the first row at or after the block. */
  seek(block: number): Steps<TermRow | undefined>;
};

/** A cursor that ends with the block toBlock. */
export function createTermCursor(sql: SqlReader, term: Uint8Array, toBlock: number): TermCursor {
  let rows: TermRow[] = [];
  let at = 0;
  let length = firstPage;
  let isComplete = false;
  return {
    current: () => rows[at],
    *seek(block) {
      while (at < rows.length && rows[at]!.block < block) at++;
      if (at === rows.length && !isComplete) {
        rows = yield* step(sql.all<TermRow>(page, [term, block, toBlock, length]));
        at = 0;
        isComplete = rows.length < length;
        length = Math.min(2 * length, lastPage);
      }
      return rows[at];
    },
  };
}

/** Moves every cursor to the block or after it, and answers the first block that one of them stands at. */
export function* seekAny(cursors: TermCursor[], block: number): Steps<number | undefined> {
  let first: number | undefined;
  for (const cursor of cursors) {
    const row = yield* cursor.seek(block);
    if (row && (first === undefined || row.block < first)) first = row.block;
  }
  return first;
}
