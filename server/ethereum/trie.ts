/**
 * Merkle Patricia trie (Yellow Paper, appendix D) whose nodes are stored by hash. Changes stay in memory until
 * `root()`, which hashes each changed node once. Nodes never change after they are hashed, so tries can share them.
 */

import { decodeRlp, encodeRlp, type RlpItem } from "@/lib/rlp";
import { concat, toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { emptyTrieRoot, keccak } from "@/server/ethereum/codec/hash";
import { untilComplete } from "@/server/ethereum/pending";
import type { Hash } from "@/server/ethereum/types";

/**
 * Returns the encoding of the node with this hash; undefined if there is none. Throws PendingRead if the node has to be
 * fetched first.
 */
export type ReadNode = (hash: Hash) => Uint8Array | undefined;

/** The nibbles of a path, one per byte. */
export type Path = Uint8Array;
type Leaf = { kind: "leaf"; path: Path; value: Uint8Array; item?: RlpItem | undefined };
type Extension = { kind: "extension"; path: Path; child: Node; item?: RlpItem | undefined };
type Branch = {
  kind: "branch";
  children: (Node | undefined)[];
  value?: Uint8Array | undefined;
  item?: RlpItem | undefined;
};
/** A node that has not been read yet. */
type Unread = { kind: "unread"; hash: Uint8Array };
type Read = Leaf | Extension | Branch;
type Node = Read | Unread;
/**
 * A node's `item` is what its parent contains: the node's encoding or its hash. A node without an item may still
 * change.
 */

/**
 * A cache of recently read or hashed nodes that several tries share. Computing a block's roots starts from the previous
 * block's nodes. A hash identifies its node, so a cached node is valid in every state.
 */
export type KnownNodes = Map<string, Read>;
/** A branch takes about two kilobytes. */
const maxKnownNodes = 8_192;

export type Trie = {
  get(key: Uint8Array): Promise<Uint8Array | undefined>;
  put(key: Uint8Array, value: Uint8Array): Promise<void>;
  delete(key: Uint8Array): Promise<void>;
  /** Computes the root of the current content. Passes each new node to the collector once. */
  root(collect?: Collect): Hash;
};
type Collect = (hash: Hash, node: Uint8Array) => void;

/** A trie's top node and the source of its other nodes. */
type Content = { top: Node | undefined; readNode: ReadNode; known: KnownNodes };

/** Opens the trie with this root. Its methods throw MissingNodeError if a node can't be read. */
export function createTrie(
  root: Hash = emptyTrieRoot,
  readNode: ReadNode = () => undefined,
  known: KnownNodes = new Map(),
): Trie {
  const content: Content = {
    top: root === emptyTrieRoot ? undefined : { kind: "unread", hash: toBytes(root) },
    readNode,
    known,
  };
  return {
    get(key) {
      const path = toNibbles(key);
      return untilComplete(() => find(content, path));
    },
    put(key, value) {
      const path = toNibbles(key);
      return untilComplete(() => {
        content.top = insert(content, content.top, path, 0, value);
      });
    },
    delete(key) {
      const path = toNibbles(key);
      return untilComplete(() => {
        content.top = remove(content, content.top, path, 0);
      });
    },
    root: (collect) => toRoot(content, collect),
  };
}

function load(content: Content, node: Node): Read {
  if (node.kind !== "unread") return node;
  const { readNode, known } = content;
  const key = toKey(node.hash);
  const before = known.get(key);
  if (before) return before;
  const hash = toHex(node.hash);
  const read = toNode(decodeRlp(orMissing(hash, readNode(hash))) as RlpItem[], node.hash);
  remember(known, key, read);
  return read;
}

function find(content: Content, path: Path): Uint8Array | undefined {
  let node = content.top;
  let at = 0;
  while (node) {
    const loaded = load(content, node);
    if (loaded.kind === "leaf") return isRest(loaded.path, path, at) ? loaded.value : undefined;
    if (loaded.kind === "extension") {
      if (sharedLength(loaded.path, path, at) < loaded.path.length) return undefined;
      at += loaded.path.length;
      node = loaded.child;
    } else {
      if (at === path.length) return loaded.value;
      node = loaded.children[path[at++]!];
    }
  }
  return undefined;
}

function insert(content: Content, node: Node | undefined, path: Path, at: number, value: Uint8Array): Read {
  if (!node) return { kind: "leaf", path: path.subarray(at), value };
  const loaded = load(content, node);
  if (loaded.kind === "branch") {
    if (at === path.length) return { ...toOwn(loaded), value };
    const child = insert(content, loaded.children[path[at]!], path, at + 1, value);
    const own = loaded.item ? toOwn(loaded) : loaded;
    own.children[path[at]!] = child;
    return own;
  }
  const shared = sharedLength(loaded.path, path, at);
  if (shared === loaded.path.length) {
    if (loaded.kind === "extension") {
      return { kind: "extension", path: loaded.path, child: insert(content, loaded.child, path, at + shared, value) };
    }
    if (at + shared === path.length) return { kind: "leaf", path: loaded.path, value };
  }
  const branch: Branch = { kind: "branch", children: new Array(16).fill(undefined) };
  place(branch, loaded, shared);
  if (at + shared === path.length) branch.value = value;
  else branch.children[path[at + shared]!] = { kind: "leaf", path: path.subarray(at + shared + 1), value };
  return shared === 0 ? branch : { kind: "extension", path: path.subarray(at, at + shared), child: branch };
}

/** Never changes a node in place, because the removal runs again if a sibling must be fetched. */
function remove(content: Content, node: Node | undefined, path: Path, at: number): Node | undefined {
  if (!node) return undefined;
  const loaded = load(content, node);
  if (loaded.kind === "leaf") return isRest(loaded.path, path, at) ? undefined : loaded;
  if (loaded.kind === "extension") {
    if (sharedLength(loaded.path, path, at) < loaded.path.length) return loaded;
    const child = remove(content, loaded.child, path, at + loaded.path.length);
    if (child === loaded.child) return loaded;
    return child && join(loaded.path, load(content, child));
  }
  if (at === path.length) {
    if (!loaded.value) return loaded;
    return collapse(content, { ...toOwn(loaded), value: undefined });
  }
  const before = loaded.children[path[at]!];
  const after = remove(content, before, path, at + 1);
  if (after === before) return loaded;
  const own = toOwn(loaded);
  own.children[path[at]!] = after;
  return collapse(content, own);
}

/** If a branch has only one entry left, replaces the branch with that entry, whose path gets longer. */
function collapse(content: Content, branch: Branch): Node {
  const left = branch.children.flatMap((child, index) => (child ? [index] : []));
  if (left.length === 0 && branch.value) return { kind: "leaf", path: noPath, value: branch.value };
  if (left.length !== 1 || branch.value) return branch;
  return join(Uint8Array.of(left[0]!), load(content, branch.children[left[0]!]!));
}

function toRoot({ top, known }: Content, collect: Collect | undefined): Hash {
  if (!top) return emptyTrieRoot;
  if (top.kind === "unread") return toHex(top.hash);
  const item = toItem(top, collect, known);
  if (item instanceof Uint8Array) return toHex(item);
  // The root is hashed even if its encoding is short.
  const encoded = encodeRlp(item);
  const hash = toHex(keccak(encoded));
  collect?.(hash, encoded);
  return hash;
}

/**
 * The root of the trie that maps RLP(index) to each value. A header's transactions, receipts and withdrawals roots are
 * built this way.
 */
export async function toListRoot(values: readonly Uint8Array[]): Promise<Hash> {
  const trie = createTrie();
  for (const [index, value] of values.entries()) await trie.put(encodeRlp(toIndex(index)), value);
  return trie.root();
}

/** A trie node isn't in the store, because the node's state wasn't kept. */
export class MissingNodeError extends Error {
  override name = "MissingNodeError";
  readonly code = "MISSING_NODE";

  constructor(hash: Hash) {
    super(`Trie node ${hash} is not in the database.`);
  }
}

function toIndex(index: number): Uint8Array {
  if (index === 0) return new Uint8Array(0);
  return index < 256 ? Uint8Array.of(index) : index < 65536 ? Uint8Array.of(index >> 8, index & 255) : toWide(index);
}

function toWide(index: number): Uint8Array {
  return Uint8Array.of((index >> 16) & 255, (index >> 8) & 255, index & 255);
}

function orMissing(hash: Hash, node: Uint8Array | undefined): Uint8Array {
  if (!node) throw new MissingNodeError(hash);
  return node;
}

function remember(known: KnownNodes, key: string, node: Read): void {
  known.set(key, node);
  if (known.size <= maxKnownNodes) return;
  // Deletes many entries at once, because finding a map's oldest entry is slow after deletions.
  let left = maxKnownNodes / 8;
  for (const oldest of known.keys()) {
    known.delete(oldest);
    if (--left === 0) break;
  }
}

function toKey(hash: Uint8Array): string {
  return Buffer.prototype.latin1Slice.call(hash, 0, 32);
}

function toOwn({ children, value }: Branch): Branch {
  return { kind: "branch", children: children.slice(), value };
}

/**
 * Attaches a leaf or extension to the new branch that splits its path. `shared` is how much of the path lies above the
 * branch.
 */
function place(branch: Branch, node: Leaf | Extension, shared: number): void {
  if (node.kind === "leaf" && node.path.length === shared) {
    branch.value = node.value;
    return;
  }
  const rest = node.path.subarray(shared + 1);
  const index = node.path[shared]!;
  if (node.kind === "leaf") branch.children[index] = { kind: "leaf", path: rest, value: node.value };
  else branch.children[index] = rest.length === 0 ? node.child : { kind: "extension", path: rest, child: node.child };
}

/** Prepends a path to a node. The path has no branches, so it becomes an extension or part of the node's own path. */
function join(path: Path, node: Read): Read {
  if (node.kind === "branch") return { kind: "extension", path, child: node };
  if (node.kind === "leaf") return { kind: "leaf", path: concat(path, node.path), value: node.value };
  return { kind: "extension", path: concat(path, node.path), child: node.child };
}

function toItem(node: Node, collect: Collect | undefined, known: KnownNodes): RlpItem {
  if (node.kind === "unread") return node.hash;
  if (node.item) return node.item;
  const item = toOwnItem(node, collect, known);
  const encoded = encodeRlp(item);
  if (encoded.length < 32) node.item = item;
  else {
    const hash = keccak(encoded);
    node.item = hash;
    if (collect) {
      collect(toHex(hash), encoded);
      remember(known, toKey(hash), withoutChildren(node));
    }
  }
  return node.item;
}

function toOwnItem(node: Read, collect: Collect | undefined, known: KnownNodes): RlpItem[] {
  if (node.kind === "leaf") return [toCompact(node.path, true), node.value];
  if (node.kind === "extension") return [toCompact(node.path, false), toItem(node.child, collect, known)];
  const items: RlpItem[] = node.children.map((child) => (child ? toItem(child, collect, known) : empty));
  items.push(node.value ?? empty);
  return items;
}

/**
 * Copies the node and replaces its children with unread nodes, because the children are cached separately. Otherwise, a
 * cached root would keep its whole trie in memory.
 */
function withoutChildren(node: Read): Read {
  if (node.kind === "leaf") return node;
  if (node.kind === "extension") return { ...node, child: toUnread(node.child)! };
  return { ...node, children: node.children.map(toUnread) };
}

function toUnread(child: Node | undefined): Node | undefined {
  if (!child || child.kind === "unread" || !(child.item instanceof Uint8Array)) return child;
  return { kind: "unread", hash: child.item };
}

const empty = new Uint8Array(0);
const noPath = empty;

function toNode(item: RlpItem[], hash?: Uint8Array): Read {
  const own = hash ?? item;
  if (item.length === 17) {
    const value = item[16] as Uint8Array;
    const children = item.slice(0, 16).map(toChild);
    return { kind: "branch", children, value: value.length === 0 ? undefined : value, item: own };
  }
  const { path, isLeaf } = fromCompact(item[0] as Uint8Array);
  if (isLeaf) return { kind: "leaf", path, value: item[1] as Uint8Array, item: own };
  return { kind: "extension", path, child: toChild(item[1]!)!, item: own };
}

/** If a child's encoding is shorter than 32 bytes, it is embedded in its parent. */
function toChild(item: RlpItem): Node | undefined {
  if (Array.isArray(item)) return toNode(item);
  return item.length === 0 ? undefined : { kind: "unread", hash: item };
}

export function toNibbles(key: Uint8Array): Path {
  const nibbles = new Uint8Array(key.length * 2);
  for (let i = 0; i < key.length; i++) {
    nibbles[2 * i] = key[i]! >> 4;
    nibbles[2 * i + 1] = key[i]! & 15;
  }
  return nibbles;
}

/** Hex-prefix encoding: a flag nibble shows whether the path ends in a leaf and whether its length is odd. */
function toCompact(path: Path, isLeaf: boolean): Uint8Array {
  const isOdd = path.length % 2 === 1;
  const bytes = new Uint8Array((path.length >> 1) + 1);
  bytes[0] = (isLeaf ? 0x20 : 0) | (isOdd ? 0x10 | path[0]! : 0);
  for (let i = isOdd ? 1 : 0, at = 1; i < path.length; i += 2, at++) bytes[at] = (path[i]! << 4) | path[i + 1]!;
  return bytes;
}

/** Decodes a path in hex-prefix encoding. Also returns whether the path ends in a leaf. */
export function fromCompact(bytes: Uint8Array): { path: Path; isLeaf: boolean } {
  const nibbles = toNibbles(bytes);
  return { path: nibbles.subarray(nibbles[0]! & 1 ? 1 : 2), isLeaf: (nibbles[0]! & 2) !== 0 };
}

/** How many nibbles at the start of `prefix` equal those of `path` from position `at` on. */
export function sharedLength(prefix: Path, path: Path, at: number): number {
  let length = 0;
  while (length < prefix.length && at + length < path.length && prefix[length] === path[at + length]) length++;
  return length;
}

function isRest(rest: Path, path: Path, at: number): boolean {
  return rest.length === path.length - at && sharedLength(rest, path, at) === rest.length;
}
