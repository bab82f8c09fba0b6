/**
 * Reads that take time inside code that cannot wait. A run asks for a value; if it has to be fetched, the run is given
 * up and begins again once the value is there. The source keeps every value that it fetched, or the run would never end.
 */

/** Not a fault: says which value a run was given up for. */
class PendingRead extends Error {
  override name = "PendingRead";
  readonly until: Promise<unknown>;

  constructor(until: Promise<unknown>) {
    super("A value has to be fetched first.");
    this.until = until;
  }
}

/** Turns a fetch into a read that answers what was fetched before, and throws PendingRead the first time. */
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

/** Repeats the run as often as it has to wait. What it changes outside itself it may change only at its very end. */
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
