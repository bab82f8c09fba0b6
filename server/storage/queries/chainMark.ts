/**
 * Where a chain stands, in one statement and so of one moment: for processes that follow what another one writes.
 */
import { toHex } from "@/server/chain/codec/bytes";
import { andThen } from "@/server/storage/awaitable";
import type { Awaitable, ChainMark } from "@/server/storage/port";
import { type EraRow, eraColumns, toEra } from "@/server/storage/queries/stateReads";
import type { SqlReader } from "@/server/storage/sql";

const mark = `select number, hash, ${eraColumns} from head where id = 1`;

type MarkRow = EraRow & { number: number; hash: Uint8Array };

export function findChainMark(sql: SqlReader): Awaitable<ChainMark | undefined> {
  return andThen(
    sql.get<MarkRow>(mark, []),
    (row) => row && { number: row.number, hash: toHex(row.hash), era: toEra(row) },
  );
}
