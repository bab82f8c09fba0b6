/**
 * Lets synchronous code read values that must be fetched asynchronously. If a run needs a value that isn't there yet,
 * the run is abandoned and restarted after the value has arrived. The source must keep every fetched value, or the run
 * never finishes.
 */

/** Thrown to abandon a run; not a failure. `until` is the fetch that the run is waiting for. */
export class PendingRead extends Error {
  override name = "PendingRead";
  readonly until: Promise<unknown>;

  constructor(until: Promise<unknown>) {
    super("A value must be fetched first.");
    this.until = until;
  }
}

/**
 * Turns an asynchronous fetch into a synchronous read. If the value was fetched before, the read returns it. Otherwise,
 * the read starts the fetch and throws PendingRead.
 */
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

/** Abandons the run so that it restarts, even though no value is missing. */
export function restart(): never {
  throw new PendingRead(Promise.resolve());
}

/**
 * Repeats the run until no value is missing. Because it may run several times, it must have no side effects before its
 * very end.
 */
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
