/**
 * Computes the state roots of an overlay, and the changes and trie nodes for a commit. A root can be requested after
 * every transaction (as before Byzantium) or once per block.
 */

import { decodeRlp, encodeRlp, type RlpItem } from "@/lib/rlp";
import { createPacker, toBytes, toHex, toScalar, zeroWord } from "@/server/ethereum/codec/bytes";
import { emptyTrieRoot, keccak } from "@/server/ethereum/codec/hash";
import { createTrie, type KnownNodes, type Trie } from "@/server/ethereum/trie";
import type { Account, Address, Hash, StateChanges } from "@/server/ethereum/types";
import type { BaseState, Overlay } from "@/server/execution/state/overlay";

export type StateRoots = {
  /** The state root after everything that has been written so far. */
  root(): Promise<Hash>;
  /** The differences from the base state, and every new node in the requested roots' tries. Call `root()` first. */
  changes(): Promise<StateChanges>;
};

/** All jobs in this thread share this cache. */
const knownNodes: KnownNodes = new Map();

export function createStateRoots(overlay: Overlay, base: BaseState, baseRoot: Hash = emptyTrieRoot): StateRoots {
  const nodes = new Map<Hash, Uint8Array>();
  const readNode = (hash: Hash) => nodes.get(hash) ?? base?.store.reads.findTrieNode(hash);
  const pack = createPacker();
  const collect = (hash: Hash, node: Uint8Array) => void nodes.set(hash, pack(node));
  const accountTrie = createTrie(baseRoot, readNode, knownNodes);
  const storageTries = new Map<Address, Trie>();
  const touched = { accounts: new Set<Address>(), cleared: new Set<Address>(), slots: new Map<Address, Set<Hash>>() };

  async function storageRootOf(address: Address, isReset: boolean, written: Iterable<Hash>): Promise<Hash> {
    let trie = storageTries.get(address);
    if (isReset) trie = createTrie();
    if (!trie) {
      const leaf = await accountTrie.get(hashKey(address));
      const root = leaf ? toHex((decodeRlp(leaf) as RlpItem[])[2] as Uint8Array) : emptyTrieRoot;
      const slots = [...written];
      if (slots.length === 0) return root;
      trie = createTrie(root, readNode, knownNodes);
      written = slots;
    }
    storageTries.set(address, trie);
    for (const slot of written) {
      const value = await overlay.getSlot(address, slot);
      if (value === zeroWord) await trie.delete(hashKey(slot));
      else await trie.put(hashKey(slot), encodeRlp(toScalar(BigInt(value))));
    }
    return trie.root(collect);
  }

  return {
    async root() {
      const dirty = overlay.takeDirty();
      const addresses = new Set([...dirty.accounts, ...dirty.cleared, ...dirty.slots.keys()]);
      for (const address of addresses) {
        touched.accounts.add(address);
        if (dirty.cleared.has(address)) touched.cleared.add(address);
        const written = dirty.slots.get(address) ?? new Set<Hash>();
        touched.slots.set(address, union(touched.slots.get(address), written));
        const account = await overlay.findAccount(address);
        if (!account) {
          storageTries.delete(address);
          await accountTrie.delete(hashKey(address));
          continue;
        }
        const isReset = dirty.cleared.has(address) && overlay.isCleared(address);
        const slots = isReset ? overlay.writtenSlots(address).keys() : written;
        const storageRoot = await storageRootOf(address, isReset, slots);
        await accountTrie.put(hashKey(address), encodeAccount(account, storageRoot));
      }
      return accountTrie.root(collect);
    },

    async changes() {
      const changes: StateChanges = { accounts: [], storage: [], codes: [], trieNodes: [] };
      for (const address of touched.accounts) {
        const before = await overlay.findBaseAccount(address);
        const account = await overlay.findAccount(address);
        if (!isSameAccount(before, account)) {
          changes.accounts.push({ address, account });
          const code = account && overlay.codes().get(account.codeHash);
          if (account && code && before?.codeHash !== account.codeHash) {
            changes.codes.push({ hash: account.codeHash, code });
          }
        }
        const slots = union(touched.slots.get(address), []);
        if (before && overlay.isCleared(address))
          for await (const slot of listBaseSlots(base, address)) slots.add(slot);
        for (const slot of slots) {
          const value = account ? await overlay.getSlot(address, slot) : zeroWord;
          if (value !== (await overlay.getBaseSlot(address, slot))) changes.storage.push({ address, slot, value });
        }
      }
      changes.trieNodes = Array.from(nodes, ([hash, node]) => ({ hash, node }));
      return changes;
    },
  };
}

/** The RLP encoding of an account, as stored in the account trie. */
function encodeAccount(account: Account, storageRoot: Hash): Uint8Array {
  return encodeRlp([
    toScalar(account.nonce),
    toScalar(account.balance),
    toBytes(storageRoot),
    toBytes(account.codeHash),
  ]);
}

/** Lists the slots that the account has in the base state, so that deleting a contract also deletes its slots. */
async function* listBaseSlots(base: BaseState, address: Address): AsyncGenerator<Hash> {
  if (!base) return;
  const limit = 1000;
  let after: Hash | undefined;
  for (;;) {
    const page = await base.store.listSlots(address, base.block, after ? { after, limit } : { limit });
    for (const { slot } of page) yield slot;
    if (page.length < limit) return;
    after = page.at(-1)?.slot;
  }
}

/** Hashes of trie keys, cached because the same few addresses and slots recur in every block. */
const hashedKeys = new Map<string, Uint8Array>();
const maxHashedKeys = 20_000;

function hashKey(key: Address | Hash): Uint8Array {
  let hashed = hashedKeys.get(key);
  if (!hashed) {
    hashed = keccak(toBytes(key));
    if (hashedKeys.size >= maxHashedKeys) hashedKeys.clear();
    hashedKeys.set(key, hashed);
  }
  return hashed;
}

function union<T>(a: ReadonlySet<T> | undefined, b: Iterable<T>): Set<T> {
  const both = new Set(a);
  for (const value of b) both.add(value);
  return both;
}

function isSameAccount(a: Account | undefined, b: Account | undefined): boolean {
  if (!a || !b) return a === b;
  return a.nonce === b.nonce && a.balance === b.balance && a.codeHash === b.codeHash;
}
