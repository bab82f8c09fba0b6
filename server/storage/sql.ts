/**
 * The interface between queries and a database driver. SQL here is the subset that SQLite and Postgres share, with `?`
 * for parameters in order, now_ms() for the database's clock in milliseconds since the epoch, and hex(column) for the hex
 * digits of bytes. A driver translates only what its database does differently.
 */

/** `int` columns are safe integers and blobs are bytes; columns never accept or return a bigint (see columns.ts). */
export type SqlValue = number | string | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;
/** One statement, run once per row of parameters. */
export type SqlWrite = { sql: string; rows: SqlValue[][] };

export type SqlReader = {
  /** The caller asserts the row types, which follow from the SQL and the schema. */
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
  /** Whether no other connection writes. */
  isOnlyWriter: boolean;
  /** The same reads, synchronously, if the database supports that. */
  sync?: SqlSyncReader;
  /**
   * Runs the work in one transaction, committed as a whole or not at all. If several transactions begin by locking the
   * same row, they run one at a time, and each sees the writes of the earlier ones. If the database reports a conflict,
   * the work is run again. A process crash never undoes a transaction that returned. A power failure may undo the
   * transactions of the last moments: SQLite flushes durable ones to disk in the background and stops accepting more of
   * them if the disk doesn't keep up.
   */
  transaction<T>(durable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T>;
  /** Waits until every durable transaction that returned is on disk. Throws StoreUncertainError if the disk fails. */
  flushed(): Promise<void>;
  /**
   * Calls the listener soon after another process committed a transaction, if the database can report it. This is a
   * hint and may never come.
   */
  onHint(listener: () => void): () => void;
  /** Names of the existing tables. */
  listTables(): Promise<string[]>;
  /** Size of the database in bytes. */
  findSize(): Promise<number>;
  /** Free bytes on the database's disk; undefined if the data is on a database server. */
  findFreeSpace(): Promise<number | undefined>;
  close(): Promise<void>;
};
