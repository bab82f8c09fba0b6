/**
 * Flushes SQLite's log to disk soon after durable transactions. Another thread waits for the disk, so that this one
 * keeps responding. Transactions that are committed in the meantime share a flush.
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { StoreUnavailableError } from "@/server/storage/errors";

/** Flushes a file. Resolves when everything written to the file descriptor is on disk. */
export type Flush = (descriptor: number) => Promise<void>;

export type LogFlush = {
  /** Whether durable transactions have to wait because the disk is failing or can't keep up. */
  isBehind(): boolean;
  start(): void;
  /** Waits until every earlier durable transaction is on disk. Throws StoreUnavailableError if the disk fails. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

/** How long to wait before a flush. A flush costs more than a small block, so several blocks share one. */
const delayMs = 50;
/** How long new transactions may be committed while an earlier one isn't on disk yet. */
export const maxBehindMs = 250;

/** `checkpoint` copies the log into the database file and returns whether the whole log was copied. */
export function createLogFlush(
  file: string,
  checkpoint: (isWanted: () => boolean) => Promise<boolean>,
  flush: Flush = promisify(fdatasync),
): LogFlush {
  let log: number | undefined;
  /** The number of durable transactions so far, and how many of them are on disk. */
  let written = 0;
  let onDisk = 0;
  /** All transactions before this time are on disk. */
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
    // Ignored here, because `finish()` reports the failure.
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
          // After a failed flush, the operating system may act as if the data had been written. A checkpoint therefore
          // writes all of it again.
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
