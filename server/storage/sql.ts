/**
 * The seam between the queries and a database driver. SQL here is the subset that SQLite and Postgres share, with `?`
 * for parameters in order and now_ms() for the database's clock in milliseconds since the epoch; a driver translates
 * what its database says differently and nothing else.
 */
import type { Awaitable } from "@/server/storage/port";

/** int columns are safe integers, blobs are bytes; bigint never leaves or enters a column (see columns.ts). */
export type SqlValue = number | string | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;
/** One statement to be run once per row of parameters. */
export type SqlWrite = { sql: string; rows: SqlValue[][] };

export type SqlReader = {
  /** Row shapes are the caller's promise: they follow from the SQL and the schema. */
  all<R extends SqlRow>(sql: string, params: SqlValue[]): Awaitable<R[]>;
  get<R extends SqlRow>(sql: string, params: SqlValue[]): Awaitable<R | undefined>;
};

export type SqlWriter = SqlReader & {
  write(writes: SqlWrite[]): Awaitable<void>;
  /** Runs one statement; answers how many rows it changed. */
  change(sql: string, params: SqlValue[]): Awaitable<number>;
};

export type SqlDriver = SqlReader & {
  /** Whether other processes may write the same database at the same time. */
  isShared: boolean;
  /**
   * Runs the work in one transaction that lands as a whole or not at all. Of those that begin by locking the same row
   * only one runs at a time, and each sees what those before it wrote. The work may be run anew where the database asks
   * for it. Losing the process undoes nothing that returned. Losing power may undo the most recent ones in order: of the
   * durable at most the last, since each waits until the disk has the one before it.
   */
  transaction<T>(durable: boolean, work: (tx: SqlWriter) => Awaitable<T>): Awaitable<T>;
  /** Waits until the disk has every durable transaction that returned. Throws StoreUncertainError where it does not take one. */
  flushed(): Awaitable<void>;
  /**
   * Calls the listener soon after a transaction of another process landed, where the database can tell. A hint: it may
   * never come.
   */
  onHint(listener: () => void): () => void;
  /** Names of the tables that exist. */
  listTables(): Awaitable<string[]>;
  /** Bytes that the database takes. */
  findSize(): Awaitable<number>;
  close(): Awaitable<void>;
};
