/**
 * Trie nodes that were read lately, for stores that are a round trip away: a state root reads the same upper nodes block
 * after block. A node's hash says its content, so what is kept is never wrong.
 */
import type { Hash } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";

/** Of what is kept, hashes included; the upper levels of a trie of millions of accounts fit. */
const defaultBytes = 32 * 1024 * 1024;
/** What an entry takes beside its node. */
const entryBytes = 150;

/** The same store, with nodes kept up to so many bytes. */
export function withNodeCache(store: Store, maxBytes: number = defaultBytes): Store {
  const nodes = new Map<Hash, Uint8Array>();
  let bytes = 0;

  function keep(hash: Hash, node: Uint8Array): void {
    if (nodes.has(hash)) return;
    nodes.set(hash, node);
    bytes += node.length + entryBytes;
    // Insertion order is the order of use: the first was not asked for the longest.
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
