/** A set of listeners. Adding or removing one during an announcement takes effect with the next announcement. */
export type Listeners<Event> = {
  /** Returns the function that removes the listener. */
  add(listener: (event: Event) => void): () => void;
  announce(event: Event): void;
  count(): number;
  clear(): void;
};

/** If `onError` is given, it receives every error that a listener throws, and the other listeners still run. */
export function createListeners<Event = void>(onError?: (error: unknown) => void): Listeners<Event> {
  const listeners = new Set<(event: Event) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event);
        } catch (error) {
          if (!onError) throw error;
          onError(error);
        }
      }
    },
    count: () => listeners.size,
    clear: () => listeners.clear(),
  };
}
