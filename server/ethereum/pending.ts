/**
 * Asynchronous reads for code that can't wait. If a run needs a missing value, the run is abandoned and restarted once
 * the value has arrived. The source must keep every fetched value, or the run never finishes.
 */

/** Not a failure. Carries the fetch that the abandoned run waits for. */
class PendingRead extends Error {
  override name = "PendingRead";
  readonly until: Promise<unknown>;

  constructor(until: Promise<unknown>) {
    super("A value must be fetched first.");
    this.until = until;
  }
}

/** Turns a fetch into a read: it returns a value that was fetched before, and otherwise throws PendingRead. */
export function toRead<Key extends readonly (string | number)[], V>(
  fetch: (...key: Key) => Promise<V>,
): (...key: Key) => V {
  const fetched = new Map<string, V>();
  return (...key) => {
    const name = key.join(" ");
    const known = fetched.get(name);
    if (known !== undefined || fetched.has(name)) return known as V;
    throw new PendingRead(fetch(...key).then((value) => fetched.set(name, value)));
  };
}

/** Abandons the run and starts it again, although no value is missing. */
export function restart(): never {
  throw new PendingRead(Promise.resolve());
}

/** Repeats the run until no value is missing. The run may only have side effects at its very end. */
export async function untilComplete<T>(run: () => T): Promise<T> {
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof PendingRead)) throw error;
      await error.until;
    }
  }
}
