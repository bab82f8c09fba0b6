/** A map with a size limit that drops entries that weren't used recently. */
export type RecentMap<K, V> = {
  get(key: K): V | undefined;
  /** Replaces any existing entry for the key. */
  set(key: K, value: V): void;
  clear(): void;
};

/**
 * Creates a map whose total size stays within `limit`, in the same unit as `toSize`. New and recently used entries are
 * in the young half. When the young half is full, it becomes the old half, and the previous old half is dropped.
 */
export function createRecentMap<K, V>(limit: number, toSize: (key: K, value: V) => number): RecentMap<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  let youngSize = 0;

  function set(key: K, value: V): void {
    young.set(key, value);
    youngSize += toSize(key, value);
    if (youngSize <= limit / 2) return;
    old = young;
    young = new Map();
    youngSize = 0;
  }

  return {
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    clear() {
      young = new Map();
      old = new Map();
      youngSize = 0;
    },
  };
}
