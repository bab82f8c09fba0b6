/**
 * better-sqlite3 as a SqlDriver. Answers come back directly and not as promises, except those that wait for the disk. One
 * connection writes and any number read (WAL); a reader sees what was committed when its statement began.
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { StoreUnavailableError, StoreUncertainError } from "@/server/storage/errors";
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

/** Resolves when what was written to the file of this descriptor is on the disk. */
type Flush = (descriptor: number) => Promise<void>;

/**
 * Opens a database file. flush is for tests of disks that fail. Throws better-sqlite3's SqliteError; open.ts says what
 * it means.
 */
export function openSqlite(
  file: string,
  options: { readonly: boolean },
  flush: Flush = promisify(fdatasync),
): SqlDriver {
  const db = new Database(file, {
    readonly: options.readonly,
    fileMustExist: options.readonly,
    timeout: busyTimeoutMs,
  });
  let hasLog: boolean;
  try {
    hasLog = configure(db, options.readonly);
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
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
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
  let log: number | undefined;
  /** Under way, or failed; nothing where the disk has every durable transaction. */
  let flushing: Promise<void> | undefined;

  /** Another thread waits for the disk, so that this one goes on answering. */
  function startFlush(): void {
    if (!hasLog) return;
    const started = flushLog().then(() => {
      flushing = undefined;
    });
    // Whoever waits for it hears of it.
    started.catch(() => undefined);
    flushing = started;
  }

  async function flushLog(): Promise<void> {
    log ??= openSync(`${file}-wal`, "r+");
    await flush(log);
  }

  async function flushed(): Promise<void> {
    try {
      await flushing;
    } catch (cause) {
      // What could not be flushed once may pass for written from then on: a checkpoint writes it all anew.
      const [done] = db.pragma("wal_checkpoint(passive)") as { log: number; checkpointed: number }[];
      if (done?.log !== done?.checkpointed) {
        throw new StoreUnavailableError(`The disk does not take what was written to ${file}.`, { cause });
      }
      flushing = undefined;
    }
  }

  function runAtOnce<T>(work: (tx: typeof writer) => Awaitable<T>): T {
    begin.run();
    try {
      const result = work(writer);
      // Anything that runs between two steps of a transaction would become part of it.
      if (result instanceof Promise) throw new Error("A SQLite transaction cannot wait for a promise.");
      commit.run();
      return result;
    } finally {
      if (db.inTransaction) rollback.run();
    }
  }

  async function outlivePower(): Promise<void> {
    try {
      await flushed();
    } catch (cause) {
      throw new StoreUncertainError(`What was written to ${file} may not outlive a loss of power.`, { cause });
    }
  }

  function runDurably<T>(work: (tx: typeof writer) => Awaitable<T>): T {
    const result = runAtOnce(work);
    startFlush();
    return result;
  }

  async function runInTurn<T>(work: (tx: typeof writer) => Awaitable<T>): Promise<T> {
    while (flushing) await flushed();
    return runDurably(work);
  }

  function shut(): void {
    if (log !== undefined) closeSync(log);
    db.close();
  }

  return {
    ...reader,
    isShared: false,
    onHint: () => () => undefined,
    transaction<T>(durable: boolean, work: (tx: typeof writer) => Awaitable<T>) {
      if (options.readonly) throw new Error("This store was opened for reading; the chain's writer is another one.");
      if (!durable) return runAtOnce(work);
      return flushing ? runInTurn(work) : runDurably(work);
    },
    flushed: () => (flushing ? outlivePower() : undefined),
    listTables: () =>
      reader.all<{ name: string }>("select name from sqlite_schema where type = 'table'", []).map(({ name }) => name),
    findSize: () =>
      Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true })),
    close: () => (flushing ? flushing.catch(() => undefined).then(shut) : shut()),
  };
}

/** Answers whether there is a log to be flushed: not every place for a file can have one beside it. */
function configure(db: Database.Database, readonly: boolean): boolean {
  db.function("now_ms", { deterministic: false }, () => Date.now());
  if (readonly) {
    db.pragma(`cache_size = -${readerCacheKib}`);
    return false;
  }
  const hasLog = db.pragma("journal_mode = wal", { simple: true }) === "wal";
  // A log is flushed by us, where a transaction is to be durable, and by SQLite before its pages go into the file.
  db.pragma(`synchronous = ${hasLog ? "normal" : "full"}`);
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  db.pragma(`journal_size_limit = ${journalLimitBytes}`);
  db.pragma(`cache_size = -${writerCacheKib}`);
  return hasLog;
}
