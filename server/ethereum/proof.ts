/**
 * Merkle proofs from the state trie: the nodes on the path from a root to a key (Yellow Paper, appendix D). If the key
 * is absent, the proof has the nodes up to the point where the path ends.
 */

import { decodeRlp, encodeRlp, type RlpItem } from "@/lib/rlp";
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { emptyTrieRoot, keccak } from "@/server/ethereum/codec/hash";
import { fromCompact, type Path, sharedLength, toNibbles } from "@/server/ethereum/trie";
import type { Hash, Hex } from "@/server/ethereum/types";

/** A store that finds trie nodes by hash. */
type NodeSource = { findTrieNode(hash: Hash): Promise<Uint8Array | undefined> | Uint8Array | undefined };

export type TrieProof = { nodes: Hex[]; value: Uint8Array | undefined };

/**
 * Builds the proof for a key. The key is hashed first, as in every state trie. Throws if the source lacks a node on the
 * path.
 */
export async function proveKey(source: NodeSource, root: Hash, key: Hex): Promise<TrieProof> {
  const nodes: Hex[] = [];
  if (root === emptyTrieRoot) return { nodes, value: undefined };
  let rest: Path = toNibbles(keccak(toBytes(key)));
  let reference: RlpItem | undefined = toBytes(root);
  for (;;) {
    // A node shorter than a hash is embedded in its parent, so the proof doesn't list it.
    let node: RlpItem[];
    if (Array.isArray(reference)) node = reference;
    else if (reference instanceof Uint8Array && reference.length === 32) {
      const hash = toHex(reference);
      const encoded = await source.findTrieNode(hash);
      if (!encoded) throw new Error(`Trie node ${hash} is not in the database.`);
      nodes.push(toHex(encoded));
      node = decodeRlp(encoded) as RlpItem[];
    } else return { nodes, value: undefined };

    if (node.length === 17) {
      const [nibble] = rest;
      if (nibble === undefined) return { nodes, value: toValue(node[16]) };
      reference = node[nibble];
      rest = rest.subarray(1);
      continue;
    }
    const { isLeaf, path } = fromCompact(node[0] as Uint8Array);
    if (sharedLength(path, rest, 0) < path.length) return { nodes, value: undefined };
    rest = rest.subarray(path.length);
    if (isLeaf) return { nodes, value: rest.length === 0 ? toValue(node[1]) : undefined };
    reference = node[1];
  }
}

function toValue(item: RlpItem | undefined): Uint8Array | undefined {
  if (Array.isArray(item)) return encodeRlp(item);
  return item && item.length > 0 ? item : undefined;
}
