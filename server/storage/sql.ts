/**
 * The interface between queries and a database driver. SQL here is the subset that SQLite and Postgres share, with `?`
 * for parameters, now_ms() for the database's clock in milliseconds, and hex(column) for hex digits of bytes.
 */

/** `int` columns are safe integers and blobs are bytes. Columns never hold a bigint (see columns.ts). */
export type SqlValue = number | string | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;
/** One statement, which is run once for each row of parameters. */
export type SqlWrite = { sql: string; rows: SqlValue[][] };

export type SqlReader = {
  /** The row types are not checked, so the caller is responsible for them. */
  all<R extends SqlRow>(sql: string, params: SqlValue[]): Promise<R[]>;
  get<R extends SqlRow>(sql: string, params: SqlValue[]): Promise<R | undefined>;
};

/** Reads that return their rows synchronously. */
export type SqlSyncReader = {
  all<R extends SqlRow>(sql: string, params: SqlValue[]): R[];
  get<R extends SqlRow>(sql: string, params: SqlValue[]): R | undefined;
};

export type SqlWriter = SqlReader & {
  write(writes: SqlWrite[]): Promise<void>;
  /** Runs one statement and returns how many rows it changed. */
  change(sql: string, params: SqlValue[]): Promise<number>;
};

export type SqlDriver = SqlReader & {
  /** Whether other processes may write the same database at the same time. */
  isShared: boolean;
  /** Whether this is the only connection that writes. */
  isOnlyWriter: boolean;
  /** The same reads, but synchronous. Undefined if the database doesn't support that. */
  sync?: SqlSyncReader;
  /**
   * Runs the work in one transaction. Transactions that begin by locking the same row run one at a time. After a
   * conflict, the work is run again. A process crash never undoes a transaction once this method has returned. A power
   * failure may undo the most recent transactions, because SQLite flushes durable transactions in the background.
   */
  transaction<T>(durable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T>;
  /**
   * Waits until all durable transactions that have completed are on disk. Throws StoreUncertainError if the disk fails.
   */
  flushed(): Promise<void>;
  /**
   * Calls the listener soon after another process has committed a transaction, if the database can report that. The
   * call is only a hint and may never come.
   */
  onHint(listener: () => void): () => void;
  /** Lists the names of the existing tables. */
  listTables(): Promise<string[]>;
  /** Returns the size of the database in bytes. */
  findSize(): Promise<number>;
  /** Returns how many bytes are free on the database's disk, or undefined if the data is on a database server. */
  findFreeSpace(): Promise<number | undefined>;
  close(): Promise<void>;
};
