/**
 * The fate of transactions that left the pool, limited in time and number: the oldest are forgotten first.
 */
import type { Address, Hash } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

export type Remembered = {
  find(hash: Hash): PoolRecord | undefined;
  /** Transactions that left without being mined, latest first. */
  listUnmined(limit: number): PoolRecord[];
  listOf(sender: Address): PoolRecord[];
  put(record: PoolRecord): void;
  remove(hash: Hash): boolean;
  clear(): void;
  /** Forgets records that are too old or too many; returns their hashes. */
  forget(nowMs: number): Hash[];
};

export function createRemembered(options: { keepMs: number; limit: number }): Remembered {
  // Insertion order is the order in which transactions left, because put moves to the end.
  const byHash = new Map<Hash, PoolRecord>();
  const bySender = new Map<Address, Set<Hash>>();

  function remove(hash: Hash): boolean {
    const record = byHash.get(hash);
    if (!record) return false;
    byHash.delete(hash);
    const hashes = bySender.get(record.sender);
    hashes?.delete(hash);
    if (hashes?.size === 0) bySender.delete(record.sender);
    return true;
  }

  return {
    find: (hash) => byHash.get(hash),
    listUnmined: (limit) =>
      [...byHash.values()]
        .filter(({ status }) => status !== "mined")
        .slice(-limit)
        .reverse(),
    listOf: (sender) => [...(bySender.get(sender) ?? [])].map((hash) => byHash.get(hash)!),
    put(record) {
      remove(record.hash);
      byHash.set(record.hash, record);
      const hashes = bySender.get(record.sender);
      if (hashes) hashes.add(record.hash);
      else bySender.set(record.sender, new Set([record.hash]));
    },
    remove,
    clear() {
      byHash.clear();
      bySender.clear();
    },
    forget(nowMs) {
      const forgotten: Hash[] = [];
      for (const record of byHash.values()) {
        if (byHash.size <= options.limit && record.changedAtMs + options.keepMs > nowMs) break;
        remove(record.hash);
        forgotten.push(record.hash);
      }
      return forgotten;
    },
  };
}
