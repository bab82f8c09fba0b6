/**
 * Where a chain stands, in one statement and so of one moment: for processes that follow what another one writes.
 */
import { toHex } from "@/server/chain/codec/bytes";
import { andThen } from "@/server/storage/awaitable";
import type { Awaitable, ChainMark } from "@/server/storage/port";
import type { SqlReader } from "@/server/storage/sql";

// The newest rewind and the newest edit: neither number is given twice, so a pair that is gone never comes back.
const mark = `select number, hash,
    (select coalesce(max(id), -1) + 1 from snapshot where block = -1) as history,
    (select coalesce(max(sequence), 0) from state_edit) as edit
  from head where id = 1`;

type MarkRow = { number: number; hash: Uint8Array; history: number; edit: number };

export function findChainMark(sql: SqlReader): Awaitable<ChainMark | undefined> {
  return andThen(
    sql.get<MarkRow>(mark, []),
    (row) => row && { number: row.number, hash: toHex(row.hash), era: `${row.history}.${row.edit}` },
  );
}
