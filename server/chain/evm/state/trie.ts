/**
 * Merkle Patricia trie (Yellow Paper appendix D) over nodes kept by hash. Changes stay in memory until root() hashes
 * every changed node once, bottom up, and hands it to the collector: a block of many writes to one path costs one
 * hash per node, not one per write.
 */
import { toBytes, toHex } from "@/server/chain/codec/bytes";
import { emptyTrieRoot, keccak } from "@/server/chain/codec/hash";
import { decodeRlp, encodeRlp, type RlpItem } from "@/server/chain/codec/rlp";
import type { Hash } from "@/server/chain/types";
import type { Awaitable } from "@/server/storage/port";

/** Answers the encoding of the node with this hash; undefined where it is not there. */
export type ReadNode = (hash: Hash) => Awaitable<Uint8Array | undefined>;

type Leaf = { kind: "leaf"; path: number[]; value: Uint8Array; item?: RlpItem };
type Extension = { kind: "extension"; path: number[]; child: Node; item?: RlpItem };
type Branch = { kind: "branch"; children: (Node | undefined)[]; value?: Uint8Array; item?: RlpItem };
/** A node that has not been read yet. */
type Unread = { kind: "unread"; hash: Uint8Array };
type Node = Leaf | Extension | Branch | Unread;
/** item is what stands for the node in its parent: its own encoding, or its hash. It is dropped on any change. */

export type Trie = {
  get(key: Uint8Array): Promise<Uint8Array | undefined>;
  put(key: Uint8Array, value: Uint8Array): Promise<void>;
  delete(key: Uint8Array): Promise<void>;
  /** The root over the present content. Every node not handed over before goes to the collector. */
  root(collect?: (hash: Hash, node: Uint8Array) => void): Hash;
};

/** Opens the trie with this root; throws MissingNodeError on access where a node of it cannot be read. */
export function createTrie(root: Hash = emptyTrieRoot, readNode: ReadNode = () => undefined): Trie {
  let top: Node | undefined = root === emptyTrieRoot ? undefined : { kind: "unread", hash: toBytes(root) };

  async function load(node: Node): Promise<Exclude<Node, Unread>> {
    if (node.kind !== "unread") return node;
    const hash = toHex(node.hash);
    const encoded = await readNode(hash);
    if (!encoded) throw new MissingNodeError(hash);
    const item = decodeRlp(encoded);
    return toNode(item as RlpItem[], node.hash);
  }

  async function find(node: Node | undefined, path: number[]): Promise<Uint8Array | undefined> {
    if (!node) return undefined;
    const loaded = await load(node);
    if (loaded.kind === "leaf") return isSame(loaded.path, path) ? loaded.value : undefined;
    if (loaded.kind === "extension") {
      return startsWith(path, loaded.path) ? find(loaded.child, path.slice(loaded.path.length)) : undefined;
    }
    return path.length === 0 ? loaded.value : find(loaded.children[path[0]!], path.slice(1));
  }

  async function insert(node: Node | undefined, path: number[], value: Uint8Array): Promise<Node> {
    if (!node) return { kind: "leaf", path, value };
    const loaded = await load(node);
    if (loaded.kind === "branch") {
      if (path.length === 0) return { ...withoutItem(loaded), value };
      const children = loaded.children.slice();
      children[path[0]!] = await insert(children[path[0]!], path.slice(1), value);
      return { ...withoutItem(loaded), children };
    }
    const shared = sharedLength(loaded.path, path);
    if (shared === loaded.path.length) {
      if (loaded.kind === "extension") {
        return { kind: "extension", path: loaded.path, child: await insert(loaded.child, path.slice(shared), value) };
      }
      if (shared === path.length) return { kind: "leaf", path, value };
    }
    const branch: Branch = { kind: "branch", children: new Array(16).fill(undefined) };
    place(branch, loaded, shared);
    if (shared === path.length) branch.value = value;
    else branch.children[path[shared]!] = { kind: "leaf", path: path.slice(shared + 1), value };
    return shared === 0 ? branch : { kind: "extension", path: path.slice(0, shared), child: branch };
  }

  async function remove(node: Node | undefined, path: number[]): Promise<Node | undefined> {
    if (!node) return undefined;
    const loaded = await load(node);
    if (loaded.kind === "leaf") return isSame(loaded.path, path) ? undefined : loaded;
    if (loaded.kind === "extension") {
      if (!startsWith(path, loaded.path)) return loaded;
      const child = await remove(loaded.child, path.slice(loaded.path.length));
      if (child === loaded.child) return loaded;
      return child && join(loaded.path, await load(child));
    }
    if (path.length === 0) {
      if (!loaded.value) return loaded;
      return collapse({ kind: "branch", children: loaded.children });
    }
    const before = loaded.children[path[0]!];
    const after = await remove(before, path.slice(1));
    if (after === before) return loaded;
    const children = loaded.children.slice();
    children[path[0]!] = after;
    return collapse({ ...withoutItem(loaded), children });
  }

  /** A branch with one entry left becomes that entry with a longer path. */
  async function collapse(branch: Branch): Promise<Node> {
    const left = branch.children.flatMap((child, index) => (child ? [index] : []));
    if (left.length === 0 && branch.value) return { kind: "leaf", path: [], value: branch.value };
    if (left.length !== 1 || branch.value) return branch;
    return join([left[0]!], await load(branch.children[left[0]!]!));
  }

  return {
    get: (key) => find(top, toNibbles(key)),
    put: async (key, value) => {
      top = await insert(top, toNibbles(key), value);
    },
    delete: async (key) => {
      top = await remove(top, toNibbles(key));
    },
    root(collect) {
      if (!top) return emptyTrieRoot;
      if (top.kind === "unread") return toHex(top.hash);
      const item = toItem(top, collect);
      if (item instanceof Uint8Array) return toHex(item);
      // Only the root is hashed however short it is.
      const encoded = encodeRlp(item);
      const hash = toHex(keccak(encoded));
      collect?.(hash, encoded);
      return hash;
    },
  };
}

/** The root of the trie that maps RLP(index) to each value: a header's transactions, receipts and withdrawals root. */
export async function toListRoot(values: readonly Uint8Array[]): Promise<Hash> {
  const trie = createTrie();
  for (const [index, value] of values.entries()) await trie.put(encodeRlp(toIndex(index)), value);
  return trie.root();
}

/** A node of a trie is not in the store: the state of that block is not kept. */
export class MissingNodeError extends Error {
  override name = "MissingNodeError";
  constructor(readonly hash: Hash) {
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

function withoutItem(branch: Branch): Branch {
  const { item: _, ...rest } = branch;
  return rest;
}

/** Puts a leaf or extension into a branch that takes over after the shared part of its path. */
function place(branch: Branch, node: Leaf | Extension, shared: number): void {
  if (node.kind === "leaf" && node.path.length === shared) {
    branch.value = node.value;
    return;
  }
  const rest = node.path.slice(shared + 1);
  const index = node.path[shared]!;
  if (node.kind === "leaf") branch.children[index] = { kind: "leaf", path: rest, value: node.value };
  else branch.children[index] = rest.length === 0 ? node.child : { kind: "extension", path: rest, child: node.child };
}

/** The node below a path that has only this one way to go. */
function join(path: number[], node: Exclude<Node, Unread>): Node {
  if (node.kind === "branch") return { kind: "extension", path, child: node };
  if (node.kind === "leaf") return { kind: "leaf", path: [...path, ...node.path], value: node.value };
  return { kind: "extension", path: [...path, ...node.path], child: node.child };
}

function toItem(node: Node, collect?: (hash: Hash, node: Uint8Array) => void): RlpItem {
  if (node.kind === "unread") return node.hash;
  if (node.item) return node.item;
  const item = toOwnItem(node, collect);
  const encoded = encodeRlp(item);
  if (encoded.length < 32) node.item = item;
  else {
    const hash = keccak(encoded);
    node.item = hash;
    collect?.(toHex(hash), encoded);
  }
  return node.item;
}

function toOwnItem(node: Exclude<Node, Unread>, collect?: (hash: Hash, node: Uint8Array) => void): RlpItem[] {
  if (node.kind === "leaf") return [toCompact(node.path, true), node.value];
  if (node.kind === "extension") return [toCompact(node.path, false), toItem(node.child, collect)];
  const items: RlpItem[] = node.children.map((child) => (child ? toItem(child, collect) : empty));
  items.push(node.value ?? empty);
  return items;
}

const empty = new Uint8Array(0);

function toNode(item: RlpItem[], hash?: Uint8Array): Exclude<Node, Unread> {
  const own = hash ?? item;
  if (item.length === 17) {
    const value = item[16] as Uint8Array;
    return {
      kind: "branch",
      children: item.slice(0, 16).map(toChild),
      ...(value.length === 0 ? {} : { value }),
      item: own,
    };
  }
  const { path, isLeaf } = fromCompact(item[0] as Uint8Array);
  if (isLeaf) return { kind: "leaf", path, value: item[1] as Uint8Array, item: own };
  return { kind: "extension", path, child: toChild(item[1]!)!, item: own };
}

/** A child of less than 32 bytes stands in its parent itself. */
function toChild(item: RlpItem): Node | undefined {
  if (Array.isArray(item)) return toNode(item);
  return item.length === 0 ? undefined : { kind: "unread", hash: item };
}

function toNibbles(key: Uint8Array): number[] {
  const nibbles = new Array<number>(key.length * 2);
  for (let i = 0; i < key.length; i++) {
    nibbles[2 * i] = key[i]! >> 4;
    nibbles[2 * i + 1] = key[i]! & 15;
  }
  return nibbles;
}

/** Hex prefix encoding: a flag nibble says leaf or not and odd or even. */
function toCompact(path: number[], isLeaf: boolean): Uint8Array {
  const isOdd = path.length % 2 === 1;
  const bytes = new Uint8Array((path.length >> 1) + 1);
  bytes[0] = (isLeaf ? 0x20 : 0) | (isOdd ? 0x10 | path[0]! : 0);
  for (let i = isOdd ? 1 : 0, at = 1; i < path.length; i += 2, at++) bytes[at] = (path[i]! << 4) | path[i + 1]!;
  return bytes;
}

function fromCompact(bytes: Uint8Array): { path: number[]; isLeaf: boolean } {
  const nibbles = toNibbles(bytes);
  return { path: nibbles.slice(nibbles[0]! & 1 ? 1 : 2), isLeaf: (nibbles[0]! & 2) !== 0 };
}

function sharedLength(a: number[], b: number[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function startsWith(path: number[], prefix: number[]): boolean {
  return sharedLength(path, prefix) === prefix.length;
}

function isSame(a: number[], b: number[]): boolean {
  return a.length === b.length && sharedLength(a, b) === a.length;
}
