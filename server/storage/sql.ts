/**
 * The seam between the queries and a database driver. SQL here is the subset that SQLite and Postgres share, with `?`
 * for parameters in order and now_ms() for the database's clock in milliseconds since the epoch; a driver translates
 * what its database says differently and nothing else.
 */

/** int columns are safe integers, blobs are bytes; bigint never leaves or enters a column (see columns.ts). */
export type SqlValue = number | string | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;
/** One statement to be run once per row of parameters. */
export type SqlWrite = { sql: string; rows: SqlValue[][] };

export type SqlReader = {
  /** Row shapes are the caller's promise: they follow from the SQL and the schema. */
  all<R extends SqlRow>(sql: string, params: SqlValue[]): Promise<R[]>;
  get<R extends SqlRow>(sql: string, params: SqlValue[]): Promise<R | undefined>;
};

/** Reads that return their rows at once. */
export type SqlSyncReader = {
  all<R extends SqlRow>(sql: string, params: SqlValue[]): R[];
  get<R extends SqlRow>(sql: string, params: SqlValue[]): R | undefined;
};

export type SqlWriter = SqlReader & {
  write(writes: SqlWrite[]): Promise<void>;
  /** Runs one statement; answers how many rows it changed. */
  change(sql: string, params: SqlValue[]): Promise<number>;
};

export type SqlDriver = SqlReader & {
  /** Whether other processes may write the same database at the same time. */
  isShared: boolean;
  /** The same reads without waiting, if the database can. */
  sync?: SqlSyncReader;
  /**
   * Runs the work in one transaction that lands as a whole or not at all. Of those that begin by locking the same row
   * only one runs at a time, and each sees what those before it wrote. The work may be run anew where the database asks
   * for it. Losing the process undoes nothing that returned. Losing power may undo the most recent ones in order: of the
   * durable at most the last, since each waits until the disk has the one before it.
   */
  transaction<T>(durable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T>;
  /** Waits until the disk has every durable transaction that returned. Throws StoreUncertainError where it does not take one. */
  flushed(): Promise<void>;
  /**
   * Calls the listener soon after a transaction of another process landed, where the database can tell. A hint: it may
   * never come.
   */
  onHint(listener: () => void): () => void;
  /** Names of the tables that exist. */
  listTables(): Promise<string[]>;
  /** Bytes that the database takes. */
  findSize(): Promise<number>;
  close(): Promise<void>;
};
