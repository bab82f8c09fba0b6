/**
 * Implements SqlDriver with better-sqlite3. A read sees all transactions committed before it, and never an open one:
 * while a transaction is open on the writing connection, reads use another connection. Transactions run one at a time.
 */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { findErrorCode } from "@/server/ethereum/errors";
import { StoreFullError, StoreUncertainError } from "@/server/storage/errors";
import type { SqlDriver, SqlRow, SqlSyncReader, SqlValue, SqlWriter } from "@/server/storage/sql";
import { createLogFlush, type Flush } from "@/server/storage/sqlite/logFlush";
import { shareBytes } from "@/server/storage/sqlite/shareBytes";

/**
 * The size of the page cache in kibibytes. A reading connection needs only a small one, because each commit empties it.
 */
const writerCacheKib = 16 * 1024;
const readerCacheKib = 4 * 1024;
/**
 * When the write-ahead log has this many pages (64 MiB), it is copied into the database file. Many blocks change the
 * same index pages, so with a longer log, each page is copied less often. With a quarter of this length, commits were
 * 20% slower.
 */
const checkpointPages = 16_384;
const journalLimitBytes = 64 * 1024 * 1024;
/**
 * How long a statement waits for a lock. A connection is blocked only while another one recovers from a crash or copies
 * the write-ahead log into the file.
 */
const busyTimeoutMs = 5_000;

type Connection = { db: Database.Database; sql: SqlSyncReader; prepare(sql: string): Statement };
type Statement = Database.Statement<SqlValue[], SqlRow>;
/** Runs the work in a new transaction. See sql.ts for `durable`. */
type Writing = {
  transaction: SqlDriver["transaction"];
  flushed: SqlDriver["flushed"];
  /** Returns a reader on the writing connection, or undefined while a transaction is open. */
  findReader(): SqlSyncReader | undefined;
  close(): Promise<void>;
};

/** `isKept` is false for temporary data, which is never flushed to disk. */
type SqliteOptions = { readonly: boolean; isKept?: boolean | undefined };

const noFlush: Flush = async () => undefined;

/**
 * Opens a database file. `flush` lets tests simulate disk failures. Throws better-sqlite3's SqliteError, which open.ts
 * translates.
 */
export function openSqlite(file: string, options: SqliteOptions, flush?: Flush): SqlDriver {
  const writing = options.readonly ? refusing : openWriting(file, options.isKept === false ? noFlush : flush);
  let reading: Connection;
  try {
    reading = connect(file, true, (db) => void db.pragma(`cache_size = -${readerCacheKib}`));
  } catch (cause) {
    void writing.close();
    throw cause;
  }
  const { db } = reading;
  // Prefers the writing connection, because each commit empties the page caches of all other connections.
  const getReader = () => writing.findReader() ?? reading.sql;
  const sql: SqlSyncReader = {
    all: (text, params) => getReader().all(text, params),
    get: (text, params) => getReader().get(text, params),
  };
  return {
    all: async (text, params) => sql.all(text, params),
    get: async (text, params) => sql.get(text, params),
    sync: sql,
    isShared: false,
    isOnlyWriter: !options.readonly,
    onHint: () => () => undefined,
    transaction: writing.transaction,
    flushed: writing.flushed,
    async listTables() {
      return sql
        .all<{ name: string }>("select name from sqlite_schema where type = 'table'", [])
        .map(({ name }) => name);
    },
    async findSize() {
      return Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
    },
    async findFreeSpace() {
      const { bavail, bsize } = await statfs(dirname(file));
      return bavail * bsize;
    },
    async close() {
      // The last connection to close copies the write-ahead log into the file. A read-only connection can't do that, so
      // it is closed first.
      db.close();
      await writing.close();
    },
  };
}

const refusing: Writing = {
  async transaction() {
    throw new Error("This store was opened as read-only, so it cannot be written to.");
  },
  flushed: async () => undefined,
  findReader: () => undefined,
  close: async () => undefined,
};

/** Opens the writing connection, with a queue for its transactions. */
function openWriting(file: string, flush: Flush | undefined): Writing {
  const connection = connect(file, false, (db) => prepareToWrite(db, flush !== noFlush));
  const { db } = connection;
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const writer = toWriter(connection);
  const log = createLogFlush(file, (isWanted) => inTurn(() => !isWanted() || checkpoint(db)), flush);
  let last: Promise<unknown> = Promise.resolve();

  /** Runs a task after all earlier tasks. Nothing else runs on the connection until the task ends. */
  function inTurn<T>(task: () => T | Promise<T>): Promise<T> {
    const turn = last.then(task);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function run<T>(isDurable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T> {
    begin.run();
    try {
      const result = await work(writer);
      commit.run();
      if (isDurable) log.start();
      return result;
    } catch (cause) {
      if (findErrorCode(cause) !== "SQLITE_FULL") throw cause;
      throw new StoreFullError(`The disk of ${file} is full.`, { cause });
    } finally {
      if (db.inTransaction) rollback.run();
    }
  }

  return {
    async transaction<T>(isDurable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T> {
      for (;;) {
        while (isDurable && log.isBehind()) await log.finish();
        const done = await inTurn(async () => {
          // The disk may have failed or fallen behind while this transaction was queued.
          if (isDurable && log.isBehind()) return undefined;
          return { result: await run(isDurable, work) };
        });
        if (done) return done.result;
      }
    },
    async flushed() {
      try {
        await log.finish();
      } catch (cause) {
        throw new StoreUncertainError(
          `Recent writes to ${file} could not be flushed to disk and may be lost in a power failure.`,
          { cause },
        );
      }
    },
    findReader: () => (db.inTransaction || !db.open ? undefined : connection.sql),
    close: () =>
      inTurn(async () => {
        await log.close();
        db.close();
      }),
  };
}

function toWriter({ sql, prepare }: Connection): SqlWriter {
  return {
    all: async (text, params) => sql.all(text, params),
    get: async (text, params) => sql.get(text, params),
    async write(writes) {
      for (const { sql: text, rows } of writes) {
        if (rows.length === 0) continue;
        const statement = prepare(text);
        for (const row of rows) statement.run(...shareBytes(row));
      }
    },
    change: async (text, params) => prepare(text).run(...shareBytes(params)).changes,
  };
}

function checkpoint(db: Database.Database): boolean {
  const [done] = db.pragma("wal_checkpoint(passive)") as { log: number; checkpointed: number }[];
  return done?.log === done?.checkpointed;
}

function connect(file: string, readonly: boolean, configure: (db: Database.Database) => void): Connection {
  const db = new Database(file, { readonly, fileMustExist: readonly, timeout: busyTimeoutMs });
  try {
    db.function("now_ms", { deterministic: false }, () => Date.now());
    configure(db);
  } catch (cause) {
    db.close();
    throw cause;
  }
  const statements = new Map<string, Statement>();
  const prepare = (text: string) => {
    const known = statements.get(text);
    if (known) return known;
    const statement = db.prepare<SqlValue[], SqlRow>(toStable(text));
    statements.set(text, statement);
    return statement;
  };
  return {
    db,
    prepare,
    sql: {
      all: <R extends SqlRow>(text: string, params: SqlValue[]) => prepare(text).all(...shareBytes(params)) as R[],
      get: <R extends SqlRow>(text: string, params: SqlValue[]) =>
        prepare(text).get(...shareBytes(params)) as R | undefined,
    },
  };
}

/**
 * SQLite recompiles a statement for each value of a parameter that might change the plan, which is slow. A unary plus
 * prevents that.
 */
const toStable = (text: string) => text.replaceAll("?", "+?");

function prepareToWrite(db: Database.Database, isKept: boolean): void {
  db.pragma("journal_mode = wal");
  // This driver flushes the log after each durable transaction. SQLite itself flushes it only before a checkpoint.
  db.pragma(`synchronous = ${isKept ? "normal" : "off"}`);
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  db.pragma(`journal_size_limit = ${journalLimitBytes}`);
  db.pragma(`cache_size = -${writerCacheKib}`);
}
