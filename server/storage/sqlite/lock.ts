/**
 * Ensures that only one process writes a database, with an exclusive SQLite lock on an empty file beside it. The
 * operating system releases the lock when the process ends for any reason, so there is never a stale lock to clean up.
 */
import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { StoreLockedError } from "@/server/storage/errors";

/**
 * Locks the database file and returns the function that releases it. Throws StoreLockedError if it is already locked.
 */
export function acquireLock(file: string): () => void {
  // If the folder isn't writable, SQLite reports that the file is missing. The operating system's error is more
  // precise.
  closeSync(openSync(`${file}.lock`, "a"));
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
