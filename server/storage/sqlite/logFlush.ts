/**
 * Brings SQLite's log to the disk after a durable transaction. Another thread waits for the disk, so that this one goes
 * on answering.
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { StoreUnavailableError } from "@/server/storage/errors";

/** Resolves when what was written to the file of this descriptor is on the disk. */
export type Flush = (descriptor: number) => Promise<void>;

export type LogFlush = {
  /** Whether a durable transaction is still on its way to the disk, or did not get there. */
  isPending(): boolean;
  start(): void;
  /** Waits for what is pending. Throws StoreUnavailableError if the disk does not take it. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

/** checkpoint writes the whole log into the database file and returns whether all of it got there. */
export function createLogFlush(
  file: string,
  checkpoint: (isWanted: () => boolean) => Promise<boolean>,
  flush: Flush = promisify(fdatasync),
): LogFlush {
  let log: number | undefined;
  /** Under way, or failed. */
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
      // Whoever waits for it hears of it.
      started.catch(() => undefined);
      pending = started;
    },
    async finish() {
      const awaited = pending;
      try {
        await awaited;
      } catch (cause) {
        // What could not be flushed once may pass for written from then on: a checkpoint writes it all anew.
        const isWritten = await checkpoint(() => pending === awaited);
        if (!isWritten)
          throw new StoreUnavailableError(`The disk does not take what was written to ${file}.`, { cause });
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
