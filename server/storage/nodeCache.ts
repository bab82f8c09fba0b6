/**
 * Caches recently read trie nodes for remote databases, because every computation of a state root reads the same upper
 * nodes. Nodes are keyed by the hash of their content, so entries never become outdated.
 */
import type { Hash } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";

/**
 * The size of the cache in bytes, including hashes. It's enough for the upper levels of a trie with millions of
 * accounts.
 */
const defaultBytes = 32 * 1024 * 1024;
/** The bytes that an entry takes in addition to its node. */
const entryBytes = 150;

/** Adds a node cache of at most `maxBytes` to the store. */
export function withNodeCache(store: Store, maxBytes: number = defaultBytes): Store {
  const nodes = new Map<Hash, Uint8Array>();
  let bytes = 0;

  function keep(hash: Hash, node: Uint8Array): void {
    if (nodes.has(hash)) return;
    nodes.set(hash, node);
    bytes += node.length + entryBytes;
    // Entries are inserted again when they are used, so the first entry is the least recently used.
    for (const [oldest, { length }] of nodes) {
      if (bytes <= maxBytes) break;
      nodes.delete(oldest);
      bytes -= length + entryBytes;
    }
  }

  return {
    ...store,
    async findTrieNode(hash) {
      const known = nodes.get(hash);
      if (known) {
        nodes.delete(hash);
        nodes.set(hash, known);
        return known;
      }
      const node = await store.findTrieNode(hash);
      if (node) keep(hash, node);
      return node;
    },
  };
}
