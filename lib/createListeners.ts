/** A set of listeners. Adding or removing a listener during an announcement takes effect at the next announcement. */
export type Listeners<Event> = {
  /** Adds a listener and returns a function that removes it. */
  add(listener: (event: Event) => void): () => void;
  announce(event: Event): void;
  count(): number;
  clear(): void;
};

/** `onError` receives errors that listeners throw. If one listener throws, the remaining listeners still run. */
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
