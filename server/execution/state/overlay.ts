/**
 * The state that a job sees: the store's state at the end of one block, plus the job's changes. `revert()` undoes
 * changes exactly. Nothing is written to the store.
 */

import { zeroWord } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash, keccakHex } from "@/server/ethereum/codec/hash";
import { untilComplete } from "@/server/ethereum/pending";
import type { Account, Address, Hash } from "@/server/ethereum/types";
import type { MachineState } from "@/server/evm/machine";
import type { StateReader, StateStore } from "@/server/ports/store";

/**
 * How a job reads state. EVM runs read synchronously. If a value must be fetched first, the run throws PendingRead and
 * is repeated. All other code awaits the values.
 */
export type ExecutionStore = Pick<StateStore, "listSlots" | "findEditedRoot"> & { reads: StateReader };

/** The state on which the changes are based. Undefined if that state is empty (for a genesis). */
export type BaseState = { store: ExecutionStore; block: number } | undefined;

export type Overlay = {
  /** The current values, for code that can't wait. */
  state: MachineState;
  findAccount(address: Address): Promise<Account | undefined>;
  putAccount(address: Address, account: Account | undefined): void;
  getSlot(address: Address, slot: Hash): Promise<Hash>;
  putSlot(address: Address, slot: Hash, value: Hash): void;
  /** Sets every slot of the account to zero, including those in the store. */
  clearStorage(address: Address): void;
  getCode(hash: Hash): Promise<Uint8Array>;
  /** Adds the code to the job's changes and returns its hash. Computes the hash if it is not given. */
  addCode(code: Uint8Array, hash?: Hash): Hash;
  checkpoint(): void;
  commit(): void;
  revert(): void;
  /** The account as it was before any of the job's changes. */
  findBaseAccount(address: Address): Promise<Account | undefined>;
  getBaseSlot(address: Address, slot: Hash): Promise<Hash>;
  /** The accounts and slots that were written since the last call, even if their values ended up unchanged. */
  takeDirty(): Dirty;
  /** Whether the job cleared the slots that the account has in the store. */
  isCleared(address: Address): boolean;
  /** The account's written slots with their current values. */
  writtenSlots(address: Address): ReadonlyMap<Hash, Hash>;
  /** The code that the job has added. */
  codes(): ReadonlyMap<Hash, Uint8Array>;
};

/** Reads values from the store and ignores the job's writes. */
type BaseReads = {
  findBaseAccount(address: Address): Account | undefined;
  getBaseSlot(address: Address, slot: Hash): Hash;
};

type Dirty = { accounts: Set<Address>; cleared: Set<Address>; slots: Map<Address, Set<Hash>> };

/** Code is identified by its hash, so cached code is valid in every block. */
const codeCache = new Map<Hash, Uint8Array>();
const codeCacheBytes = 16 * 1024 * 1024;
let cachedBytes = 0;

/** The job's writes. */
type Changes = {
  accounts: Map<Address, Account | undefined>;
  slots: Map<Address, Map<Hash, Hash>>;
  /** The accounts for which the job has cleared the slots in the store. */
  cleared: Map<Address, true>;
  codes: Map<Hash, Uint8Array>;
};

/** Reads current values, and the values in the store. Each value in the store is read only once. */
function createReads(base: BaseState, { accounts, slots, cleared, codes }: Changes) {
  const baseAccounts = new Map<Address, Account | undefined>();
  const baseSlots = new Map<string, Hash>();
  /** Whether each account has slots in the store. */
  const baseStorage = new Map<Address, boolean>();
  const reads: MachineState & BaseReads = {
    findBaseAccount(address) {
      const known = baseAccounts.get(address);
      if (known !== undefined || baseAccounts.has(address)) return known;
      return keep(baseAccounts, address, base?.store.reads.findAccount(address, base.block));
    },
    getBaseSlot(address, slot) {
      const key = address + slot;
      return (
        baseSlots.get(key) ?? keep(baseSlots, key, base?.store.reads.findSlot(address, slot, base.block) ?? zeroWord)
      );
    },
    findAccount(address) {
      const written = accounts.get(address);
      return written !== undefined || accounts.has(address) ? written : reads.findBaseAccount(address);
    },
    getSlot(address, slot) {
      const written = slots.get(address)?.get(slot);
      if (written !== undefined) return written;
      return cleared.has(address) ? zeroWord : reads.getBaseSlot(address, slot);
    },
    getCode(hash) {
      if (hash === emptyCodeHash) return emptyCode;
      return codes.get(hash) ?? codeCache.get(hash) ?? keepCode(hash, base?.store.reads.findCode(hash));
    },
    hasStorage(address) {
      for (const value of slots.get(address)?.values() ?? []) if (value !== zeroWord) return true;
      if (!base || cleared.has(address) || reads.findBaseAccount(address) === undefined) return false;
      return baseStorage.get(address) ?? keep(baseStorage, address, base.store.reads.hasSlots(address, base.block));
    },
  };
  return reads;
}

export function createOverlay(base: BaseState): Overlay {
  const changes: Changes = { accounts: new Map(), slots: new Map(), cleared: new Map(), codes: new Map() };
  const { accounts, slots, cleared, codes } = changes;
  const state = createReads(base, changes);
  const undo: (() => void)[] = [];
  const marks: number[] = [];
  let dirty: Dirty = { accounts: new Set(), cleared: new Set(), slots: new Map() };
  return {
    state,
    findBaseAccount(address) {
      return untilComplete(() => state.findBaseAccount(address));
    },
    getBaseSlot(address, slot) {
      return untilComplete(() => state.getBaseSlot(address, slot));
    },
    getSlot(address, slot) {
      return untilComplete(() => state.getSlot(address, slot));
    },
    findAccount(address) {
      return untilComplete(() => state.findAccount(address));
    },
    getCode(hash) {
      return untilComplete(() => state.getCode(hash));
    },
    putAccount(address, account) {
      if (marks.length > 0) undo.push(toRestorer(accounts, address));
      accounts.set(address, account);
      dirty.accounts.add(address);
    },
    putSlot(address, slot, value) {
      let ofAccount = slots.get(address);
      if (!ofAccount) {
        ofAccount = new Map();
        slots.set(address, ofAccount);
      }
      if (marks.length > 0) undo.push(toRestorer(ofAccount, slot));
      ofAccount.set(slot, value);
      const written = dirty.slots.get(address);
      if (written) written.add(slot);
      else dirty.slots.set(address, new Set([slot]));
    },
    clearStorage(address) {
      if (marks.length > 0) undo.push(toRestorer(slots, address), toRestorer(cleared, address));
      slots.delete(address);
      cleared.set(address, true);
      dirty.cleared.add(address);
      dirty.accounts.add(address);
    },
    addCode(code, known) {
      if (code.length === 0) return emptyCodeHash;
      const hash = known ?? keccakHex(code);
      codes.set(hash, code);
      return hash;
    },
    checkpoint() {
      marks.push(undo.length);
    },
    commit() {
      marks.pop();
      if (marks.length === 0) undo.length = 0;
    },
    revert() {
      const mark = marks.pop() ?? 0;
      while (undo.length > mark) undo.pop()!();
    },
    takeDirty() {
      const taken = dirty;
      dirty = { accounts: new Set(), cleared: new Set(), slots: new Map() };
      return taken;
    },
    isCleared(address) {
      return cleared.has(address);
    },
    writtenSlots(address) {
      return slots.get(address) ?? noSlots;
    },
    codes() {
      return codes;
    },
  };
}

/** Returns a function that restores the key's current entry in the map. */
function toRestorer<K, V>(map: Map<K, V>, key: K): () => void {
  const had = map.has(key);
  const before = map.get(key);
  return () => {
    if (had) map.set(key, before as V);
    else map.delete(key);
  };
}

const noSlots: ReadonlyMap<Hash, Hash> = new Map();
const emptyCode = new Uint8Array(0);

function keep<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value);
  return value;
}

function keepCode(hash: Hash, code: Uint8Array | undefined): Uint8Array {
  if (!code) throw new Error(`Code ${hash} is missing from the database.`);
  if (!codeCache.has(hash)) cachedBytes += code.length;
  codeCache.set(hash, code);
  for (const [oldest, bytes] of codeCache) {
    if (cachedBytes <= codeCacheBytes) break;
    codeCache.delete(oldest);
    cachedBytes -= bytes.length;
  }
  return code;
}
