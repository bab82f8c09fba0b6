/**
 * better-sqlite3 as a SqlDriver. Answers come back directly, never as promises. One connection writes and any number
 * read (WAL); a reader sees what was committed when its statement began.
 */
import Database from "better-sqlite3";
import type { Awaitable } from "@/server/storage/port";
import type { SqlDriver, SqlRow, SqlValue, SqlWrite } from "@/server/storage/sql";

/** Kibibytes of page cache; a reader thread needs little beside the system's own. */
const writerCacheKib = 64 * 1024;
const readerCacheKib = 16 * 1024;
/**
 * Pages in the log before they are copied into the file: 64 MiB. Index pages are hit at random, so the longer they
 * gather, the more often one copy serves several blocks; a quarter of this made commits slower by a fifth.
 */
const checkpointPages = 16_384;
const journalLimitBytes = 64 * 1024 * 1024;
/** How long a statement waits for a lock: only recovery after a crash and the end of a log hold one against us. */
const busyTimeoutMs = 5_000;

/** Opens a database file. Throws better-sqlite3's SqliteError; open.ts says what it means. */
export function openSqlite(file: string, options: { readonly: boolean }): SqlDriver {
  const db = new Database(file, {
    readonly: options.readonly,
    fileMustExist: options.readonly,
    timeout: busyTimeoutMs,
  });
  try {
    configure(db, options.readonly);
  } catch (cause) {
    db.close();
    throw cause;
  }
  const statements = new Map<string, Database.Statement<SqlValue[], SqlRow>>();
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare<SqlValue[], SqlRow>(sql);
    statements.set(sql, statement);
    return statement;
  };
  const reader = {
    all: <R extends SqlRow>(sql: string, params: SqlValue[]) => prepare(sql).all(...params) as R[],
    get: <R extends SqlRow>(sql: string, params: SqlValue[]) => prepare(sql).get(...params) as R | undefined,
  };
  const writer = {
    ...reader,
    write: (writes: SqlWrite[]) => {
      for (const { sql, rows } of writes) {
        if (rows.length === 0) continue;
        const statement = prepare(sql);
        for (const row of rows) statement.run(...row);
      }
    },
    change: (sql: string, params: SqlValue[]) => prepare(sql).run(...params).changes,
  };
  let isDurable = true;
  // With a write-ahead log a commit is in the system's page cache before it returns, so it outlives the process either
  // way; FULL also flushes it to the disk (0.2 ms where this was measured), so that it outlives a loss of power.
  const setDurable = (durable: boolean) => {
    if (durable === isDurable) return;
    db.exec(durable ? "pragma synchronous = full" : "pragma synchronous = normal");
    isDurable = durable;
  };
  return {
    ...reader,
    isShared: false,
    onHint: () => () => undefined,
    transaction<T>(durable: boolean, work: (tx: typeof writer) => Awaitable<T>) {
      if (options.readonly) throw new Error("This store was opened for reading; the chain's writer is another one.");
      setDurable(durable);
      db.exec("begin immediate");
      try {
        const result = work(writer);
        // Anything that runs between two steps of a transaction would become part of it.
        if (result instanceof Promise) throw new Error("A SQLite transaction cannot wait for a promise.");
        db.exec("commit");
        return result;
      } finally {
        if (db.inTransaction) db.exec("rollback");
      }
    },
    listTables: () =>
      reader.all<{ name: string }>("select name from sqlite_schema where type = 'table'", []).map(({ name }) => name),
    findSize: () =>
      Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true })),
    close: () => {
      db.close();
    },
  };
}

function configure(db: Database.Database, readonly: boolean): void {
  db.function("now_ms", { deterministic: false }, () => Date.now());
  if (readonly) {
    db.pragma(`cache_size = -${readerCacheKib}`);
    return;
  }
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  db.pragma(`journal_size_limit = ${journalLimitBytes}`);
  db.pragma(`cache_size = -${writerCacheKib}`);
}
