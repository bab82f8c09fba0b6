/**
 * The stored contents and history of the transaction pool. A node reads the whole pool when it starts. If the database
 * is shared, the node then reads only rows that have changed.
 */
import { toBigInt, toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import type { Hash } from "@/server/ethereum/types";
import type { PoolRecord, PoolStore } from "@/server/ports/store";
import { plain, present } from "@/server/storage/columns";
import { nextVersion } from "@/server/storage/queries/topics";
import { listColumns, type Row, toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlWrite, SqlWriter } from "@/server/storage/sql";

const select = `select ${listColumns("pool")} from pool`;
// Never overwrites a mined transaction, because another instance may have mined a transaction that this one drops.
const put = `${toInsert("pool", "replace")} where pool.status <> 'mined'`;

/** Reads and writes the pool outside of block commits. */
export function createPoolStore(sql: SqlDriver): PoolStore {
  return {
    async listPool() {
      return (await sql.all<Row<"pool">>(`${select} order by seen_at, hash`, [])).map(fromPoolRow);
    },
    async listPoolSince(version) {
      const rows = await sql.all<Row<"pool">>(`${select} where version > ? order by version`, [version]);
      return { version: rows.at(-1)?.version ?? version, records: rows.map(fromPoolRow) };
    },
    // A pending transaction may be lost in a power failure, because flushing each one to disk would cost too much.
    putPool: (records) => sql.transaction(false, (tx) => writePool(tx, { put: records, delete: [] })),
    deletePool: (hashes) => sql.transaction(false, (tx) => writePool(tx, { put: [], delete: hashes })),
  };
}

async function writePool(tx: SqlWriter, pool: { put: PoolRecord[]; delete: Hash[] }): Promise<void> {
  await tx.write(await collectPoolWrites(tx, pool));
}

function fromPoolRow(row: Row<"pool">): PoolRecord {
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

/** Deletes records, then inserts records or replaces those with the same hash. */
export async function collectPoolWrites(
  tx: SqlWriter,
  pool: { put: PoolRecord[]; delete: Hash[] },
): Promise<SqlWrite[]> {
  const deletes = { sql: "delete from pool where hash = ?", rows: pool.delete.map((hash) => [toBytes(hash)]) };
  if (pool.put.length === 0) return [deletes];
  const version = await nextVersion(tx, "pool");
  return [
    deletes,
    {
      sql: put,
      rows: pool.put.map((record) => [
        toBytes(record.hash),
        toBytes(record.sender),
        toScalar(record.nonce),
        record.status,
        record.reason ?? null,
        record.seenAtMs,
        record.changedAtMs,
        version,
        record.raw,
      ]),
    },
  ];
}
