/**
 * What the transaction pool holds and remembers. It is written again and again and small, so it is read as a whole
 * when a node starts, and by key never.
 */
import { toBigInt, toBytes, toHex, toScalar } from "@/server/chain/codec/bytes";
import type { Hash } from "@/server/chain/types";
import { andThen } from "@/server/storage/awaitable";
import { plain, present } from "@/server/storage/columns";
import type { PoolRecord, PoolStore } from "@/server/storage/port";
import { toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlWrite } from "@/server/storage/sql";

type PoolRow = {
  hash: Uint8Array;
  sender: Uint8Array;
  nonce: Uint8Array;
  status: string;
  reason: string | null;
  seen_at: number;
  changed_at: number;
  raw: Uint8Array;
};

/** Reads and writes of the pool outside of a block's commit. */
export function createPoolStore(sql: SqlDriver): PoolStore {
  return {
    listPool: () =>
      andThen(
        sql.all<PoolRow>(
          "select hash, sender, nonce, status, reason, seen_at, changed_at, raw from pool order by seen_at, hash",
          [],
        ),
        (rows) => rows.map(fromPoolRow),
      ),
    // A waiting transaction may be lost with the power, as in any pool; it is not worth a disk flush each.
    putPool: (records) => sql.transaction(false, (tx) => tx.write(toPoolWrites({ put: records, delete: [] }))),
    deletePool: (hashes) => sql.transaction(false, (tx) => tx.write(toPoolWrites({ put: [], delete: hashes }))),
  };
}

function fromPoolRow(row: PoolRow): PoolRecord {
  return {
    hash: toHex(row.hash),
    sender: toHex(row.sender),
    nonce: toBigInt(row.nonce),
    raw: plain(row.raw),
    status: row.status as PoolRecord["status"],
    ...present("reason", row.reason, String),
    seenAtMs: row.seen_at,
    changedAtMs: row.changed_at,
  };
}

/** Deletions, then the records put, each replacing the one of its hash. */
export function toPoolWrites(pool: { put: PoolRecord[]; delete: Hash[] }): SqlWrite[] {
  return [
    { sql: "delete from pool where hash = ?", rows: pool.delete.map((hash) => [toBytes(hash)]) },
    {
      sql: toInsert("pool", "replace"),
      rows: pool.put.map((record) => [
        toBytes(record.hash),
        toBytes(record.sender),
        toScalar(record.nonce),
        record.status,
        record.reason ?? null,
        record.seenAtMs,
        record.changedAtMs,
        record.raw,
      ]),
    },
  ];
}
