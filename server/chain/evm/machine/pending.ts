/**
 * Reads that take time inside code that cannot wait. A run asks for a value; where it has to be fetched, the run is
 * given up, and begun again when it is there. The source of the value must keep it, or the run would never end.
 */
import type { Awaitable } from "@/server/storage/port";

/** Not a fault: says which value a run was given up for. */
export class PendingRead extends Error {
  override name = "PendingRead";
  readonly until: Promise<unknown>;

  constructor(until: Promise<unknown>) {
    super("A value has to be fetched first.");
    this.until = until;
  }
}

/** The value, if it is there; throws PendingRead where it has to be fetched. */
export function now<T>(value: Awaitable<T>): T {
  if (value instanceof Promise) throw new PendingRead(value);
  return value;
}

/** Repeats the run as often as it has to wait. What it changes outside itself it may change only at its very end. */
export function untilComplete<T>(run: () => T): Awaitable<T> {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PendingRead)) throw error;
    return repeat(run, error);
  }
}

async function repeat<T>(run: () => T, first: PendingRead): Promise<T> {
  let pending = first;
  for (;;) {
    await pending.until;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof PendingRead)) throw error;
      pending = error;
    }
  }
}
