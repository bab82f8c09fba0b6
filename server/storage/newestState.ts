/**
 * Caches the newest version of accounts and slots for a database's only writer. A version stays valid until a block
 * changes it. The writer reports each block to the cache, and clears the cache after any other change.
 */
import { createRecentMap, type RecentMap } from "@/lib/createRecentMap";
import { zeroWord } from "@/server/ethereum/codec/bytes";
import type { Account, Address, Hash, StateChanges } from "@/server/ethereum/types";

/** Maximum size of the cache in bytes. */
const keptBytes = 24 * 1024 * 1024;
/** The approximate size in bytes of an entry, including its key. */
const accountBytes = 300;
const slotBytes = 350;

/** A value and the block that set it. */
type Version<V> = { since: number; value: V };

/** Reads from the database the newest version of a value at or before a block. If there is none, `since` is 0. */
export type Versions = {
  findAccount(address: Address, block: number): Version<Account | undefined>;
  findSlot(address: Address, slot: Hash, block: number): Version<Hash | undefined>;
  /** Returns the number of the stored head. */
  findNewest(): number;
};

export type NewestState = {
  findAccount(address: Address, block: number): Account | undefined;
  findSlot(address: Address, slot: Hash, block: number): Hash | undefined;
  /** Call this after each committed block, and after each edit of the newest block's state. */
  add(block: number, changes: StateChanges): void;
  /** Call this after every other change to the stored state. */
  clear(): void;
};

export function createNewestState(versions: Versions, limit = keptBytes): NewestState {
  const accounts = createRecentMap<string, Version<Account | undefined>>(limit / 2, () => accountBytes);
  const slots = createRecentMap<string, Version<Hash | undefined>>(limit / 2, () => slotBytes);
  /** The entries are valid up to this block; undefined until the first read or block. */
  let newest: number | undefined;

  function find<V>(
    kept: RecentMap<string, Version<V>>,
    key: string,
    block: number,
    read: (block: number) => Version<V>,
  ): V {
    newest ??= versions.findNewest();
    // The block has been committed, but `add` hasn't been called for it yet.
    if (block > newest) return read(block).value;
    let version = kept.get(key);
    if (!version) {
      version = read(newest);
      kept.set(key, version);
    }
    return version.since <= block ? version.value : read(block).value;
  }

  function clear(): void {
    accounts.clear();
    slots.clear();
    newest = undefined;
  }

  return {
    findAccount: (address, block) =>
      find(accounts, address.toLowerCase(), block, (at) => versions.findAccount(address, at)),
    findSlot: (address, slot, block) =>
      find(slots, (address + slot).toLowerCase(), block, (at) => versions.findSlot(address, slot, at)),
    add(block, changes) {
      newest ??= versions.findNewest();
      if (newest !== block && newest !== block - 1) return clear();
      newest = block;
      for (const { address, account } of changes.accounts) {
        const key = address.toLowerCase();
        const before = accounts.get(key);
        // Deleting an account also deletes its slots, even those that the changes don't list. An account known not to
        // exist has no slots.
        if (account === undefined && !(before && before.value === undefined)) slots.clear();
        accounts.set(key, { since: block, value: account });
      }
      for (const { address, slot, value } of changes.storage) {
        slots.set((address + slot).toLowerCase(), { since: block, value: value === zeroWord ? undefined : value });
      }
    },
    clear,
  };
}
