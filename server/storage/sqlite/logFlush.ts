/**
 * Flushes SQLite's log to disk soon after durable transactions. Another thread waits for the disk, so that this one keeps
 * responding. Transactions that are committed in the meantime share a flush.
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { StoreUnavailableError } from "@/server/storage/errors";

/** Resolves when everything written to this file descriptor is on disk. */
export type Flush = (descriptor: number) => Promise<void>;

export type LogFlush = {
  /** Whether durable transactions must wait, because the disk fails or doesn't keep up. */
  isBehind(): boolean;
  start(): void;
  /** Waits until every earlier durable transaction is on disk. Throws StoreUnavailableError if the disk fails. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

/** A flush costs more than a small block, so blocks share flushes. */
const delayMs = 50;
/** How long transactions may continue while an earlier one isn't on disk. */
export const maxBehindMs = 250;

/** `checkpoint` writes the whole log into the database file and returns whether all of it was written. */
export function createLogFlush(
  file: string,
  checkpoint: (isWanted: () => boolean) => Promise<boolean>,
  flush: Flush = promisify(fdatasync),
): LogFlush {
  let log: number | undefined;
  /** Durable transactions so far, and how many of them are on disk. */
  let written = 0;
  let onDisk = 0;
  /** Everything before this time is on disk. */
  let behindSinceMs = 0;
  /** A flush that is running or has failed. */
  let current: Promise<void> | undefined;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;

  async function flushLog(): Promise<void> {
    log ??= openSync(`${file}-wal`, "r+");
    await flush(log);
  }

  function schedule(): void {
    if (!current) timer ??= setTimeout(run, delayMs);
  }

  function run(): void {
    clearTimeout(timer);
    timer = undefined;
    const upTo = written;
    const startedMs = performance.now();
    current = flushLog().then(() => end(upTo, startedMs));
    // `finish()` reports the failure.
    current.catch(() => {
      hasFailed = true;
    });
  }

  function end(upTo: number, startedMs: number): void {
    onDisk = upTo;
    behindSinceMs = startedMs;
    current = undefined;
    hasFailed = false;
    if (written > onDisk) schedule();
  }

  return {
    isBehind: () => hasFailed || (written > onDisk && performance.now() - behindSinceMs > maxBehindMs),
    start() {
      if (written === onDisk) behindSinceMs = performance.now();
      written++;
      schedule();
    },
    async finish() {
      const target = written;
      while (onDisk < target) {
        if (!current) run();
        const awaited = current;
        try {
          await awaited;
        } catch (cause) {
          // After a failed flush, the system may treat the data as written. A checkpoint therefore writes all of it
          // again.
          let upTo = 0;
          const startedMs = performance.now();
          const isWritten = await checkpoint(() => {
            upTo = written;
            return current === awaited;
          });
          if (!isWritten) throw new StoreUnavailableError(`Writes to ${file} could not be flushed to disk.`, { cause });
          if (current === awaited) end(upTo, startedMs);
        }
      }
    },
    async close() {
      clearTimeout(timer);
      await current?.catch(() => undefined);
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
