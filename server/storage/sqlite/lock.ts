/**
 * The right to write one database. It is an exclusive SQLite lock on a file beside the database that never holds a
 * byte: the operating system drops it with the process, however that ends, so there is no stale lock to clean up.
 */
import Database from "better-sqlite3";
import { StoreLockedError } from "@/server/storage/errors";

/** Takes the lock of the database file and answers what gives it back. Throws StoreLockedError where it is taken. */
export function acquireLock(file: string): () => void {
  const db = new Database(`${file}.lock`, { timeout: 0 });
  try {
    db.exec("begin exclusive");
  } catch (cause) {
    db.close();
    const isTaken = cause instanceof Database.SqliteError && cause.code.startsWith("SQLITE_BUSY");
    throw isTaken ? new StoreLockedError(file) : cause;
  }
  return () => {
    if (db.open) db.close();
  };
}
