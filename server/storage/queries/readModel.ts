/**
 * Writes the explorer's read model block by block. A block's rows are never written before those of all earlier blocks,
 * so the result is the same as after a rebuild.
 */
import type { ExplorerRows } from "@/server/ports/store";
import { toExplorerWrites } from "@/server/storage/queries/explorer";
import { collectNftWrites } from "@/server/storage/queries/nfts";
import { collectTokenWrites } from "@/server/storage/queries/tokens";
import { toTermWrites } from "@/server/storage/queries/transactionTerms";
import { readModelTables, toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlWrite } from "@/server/storage/sql";

const end = "select next_block from read_model where id = 1";

/** The first block whose rows haven't been written. */
export async function findReadModelEnd(sql: SqlReader): Promise<number> {
  return (await sql.get<{ next_block: number }>(end, []))?.next_block ?? 0;
}

/** Returns the writes for a block's rows, or none if an earlier block's rows are missing. */
export async function collectReadModelWrites(sql: SqlReader, block: number, rows: ExplorerRows): Promise<SqlWrite[]> {
  if ((await findReadModelEnd(sql)) !== block) return [];
  return [
    ...toExplorerWrites(rows),
    ...toTermWrites(rows),
    ...(await collectNftWrites(sql, rows.nftTransfers)),
    ...(await collectTokenWrites(sql, rows)),
    { sql: toInsert("read_model", "replace"), rows: [[1, block + 1]] },
  ];
}

/** Empties the read model. */
export function toReadModelDeletes(): SqlWrite[] {
  return readModelTables.map((table) => ({ sql: `delete from ${table}`, rows: [[]] }));
}
