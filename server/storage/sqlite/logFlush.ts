/**
 * Flushes SQLite's log to disk after a durable transaction. Another thread waits for the disk, so that this one keeps
 * responding.
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { StoreUnavailableError } from "@/server/storage/errors";

/** Resolves when everything written to this file descriptor is on disk. */
export type Flush = (descriptor: number) => Promise<void>;

export type LogFlush = {
  /** Whether a durable transaction is still being flushed, or failed to flush. */
  isPending(): boolean;
  start(): void;
  /** Waits for a pending flush. Throws StoreUnavailableError if the disk fails. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

/** `checkpoint` writes the whole log into the database file and returns whether all of it was written. */
export function createLogFlush(
  file: string,
  checkpoint: (isWanted: () => boolean) => Promise<boolean>,
  flush: Flush = promisify(fdatasync),
): LogFlush {
  let log: number | undefined;
  /** A flush that is running or has failed. */
  let pending: Promise<void> | undefined;

  async function flushLog(): Promise<void> {
    log ??= openSync(`${file}-wal`, "r+");
    await flush(log);
  }

  function clear(finished: Promise<void> | undefined): void {
    if (pending === finished) pending = undefined;
  }

  return {
    isPending: () => pending !== undefined,
    start() {
      const started: Promise<void> = flushLog().then(() => clear(started));
      // `finish()` reports the failure.
      started.catch(() => undefined);
      pending = started;
    },
    async finish() {
      const awaited = pending;
      try {
        await awaited;
      } catch (cause) {
        // After a failed flush, the system may treat the data as written, so a checkpoint writes all of it again.
        const isWritten = await checkpoint(() => pending === awaited);
        if (!isWritten) throw new StoreUnavailableError(`Writes to ${file} could not be flushed to disk.`, { cause });
        clear(awaited);
      }
    },
    async close() {
      await pending?.catch(() => undefined);
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
