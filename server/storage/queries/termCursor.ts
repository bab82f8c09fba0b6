/**
 * A cursor over the blocks that contain an address or topic, in ascending order. It only seeks forward. If seeks skip
 * most rows of a page, the next page is shorter; otherwise, it is longer.
 */
import type { SqlReader } from "@/server/storage/sql";

const firstLength = 4;
const maxLength = 512;

const page = "select block, places from log_term where term = ? and block >= ? and block <= ? order by block limit ?";

type TermRow = { block: number; places: Uint8Array };

export type TermCursor = {
  /** The current row; undefined before the first seek and after the last row. */
  current(): TermRow | undefined;
  /** Moves to the first row at or after the block. */
  seek(block: number): Promise<TermRow | undefined>;
};

/** Creates a cursor that ends after the block `toBlock`. */
export function createTermCursor(sql: SqlReader, term: Uint8Array, toBlock: number): TermCursor {
  let rows: TermRow[] = [];
  let at = 0;
  let length = firstLength;
  /** The number of seeks that have moved ahead in this page. */
  let used = 0;
  let isComplete = false;
  return {
    current: () => rows[at],
    async seek(block) {
      const before = at;
      while (at < rows.length && rows[at]!.block < block) at++;
      if (at > before) used++;
      if (at === rows.length && !isComplete) {
        if (rows.length > 0) length = Math.min(2 * used, maxLength);
        rows = await sql.all<TermRow>(page, [term, block, toBlock, length]);
        at = 0;
        used = 0;
        isComplete = rows.length < length;
      }
      return rows[at];
    },
  };
}

/** Moves every cursor to the given block or beyond. Returns the lowest block that any cursor reached. */
export async function seekAny(cursors: TermCursor[], block: number): Promise<number | undefined> {
  let first: number | undefined;
  for (const cursor of cursors) {
    const row = await cursor.seek(block);
    if (row && (first === undefined || row.block < first)) first = row.block;
  }
  return first;
}
