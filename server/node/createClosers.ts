/** Collects functions that close resources. `close` runs each one once, in reverse order of opening. */
export function createClosers(first: () => unknown) {
  const closers: (() => unknown)[] = [first];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  return { closers, close };
}
