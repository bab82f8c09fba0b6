/**
 * The state a job works on: what the store knows at the end of one block, and over it everything the job has changed.
 * Every change is undone exactly by revert(); nothing reaches the store from here.
 */
import { emptyCodeHash, keccakHex } from "@/server/chain/codec/hash";
import type { Account, Address, Hash } from "@/server/chain/types";
import type { Awaitable, BlockStore, StateStore } from "@/server/storage/port";

/** What execution reads: state by block, and older headers for BLOCKHASH. */
export type ExecutionStore = StateStore & Pick<BlockStore, "findHeader">;

export const zeroWord: Hash = `0x${"00".repeat(32)}`;

/** Where the reads below the changes come from; undefined answers that there is nothing (a genesis). */
export type BaseState = { store: ExecutionStore; block: number } | undefined;

export type Overlay = {
  /** Answered at once where the store does, and in any case where it was asked before. */
  findAccount(address: Address): Awaitable<Account | undefined>;
  putAccount(address: Address, account: Account | undefined): void;
  getSlot(address: Address, slot: Hash): Awaitable<Hash>;
  putSlot(address: Address, slot: Hash, value: Hash): void;
  /** Makes every slot of the account zero, those of the store included. */
  clearStorage(address: Address): void;
  getCode(hash: Hash): Awaitable<Uint8Array>;
  /** Keeps the code and answers its hash, which need not be made where it is known. */
  addCode(code: Uint8Array, hash?: Hash): Hash;
  checkpoint(): void;
  commit(): void;
  revert(): void;
  /** As before any change: what the store has. */
  findBaseAccount(address: Address): Awaitable<Account | undefined>;
  getBaseSlot(address: Address, slot: Hash): Awaitable<Hash>;
  /** Accounts and slots that were written since the last call, whether or not they differ in the end. */
  takeDirty(): Dirty;
  /** Whether the store's slots of the account no longer count. */
  isCleared(address: Address): boolean;
  /** Whether any slot is not zero. Costs one query for an account that the store has. */
  hasStorage(address: Address): Awaitable<boolean>;
  /** The slots that were written, with their present value. */
  writtenSlots(address: Address): ReadonlyMap<Hash, Hash>;
  /** Code added by the job. */
  codes(): ReadonlyMap<Hash, Uint8Array>;
};

export type Dirty = { accounts: Set<Address>; cleared: Set<Address>; slots: Map<Address, Set<Hash>> };

/** Code is named by its hash, so what was read once stays right in every block; bounded by bytes. */
const codeCache = new Map<Hash, Uint8Array>();
const codeCacheBytes = 16 * 1024 * 1024;
let cachedBytes = 0;

export function createOverlay(base: BaseState): Overlay {
  const baseAccounts = new Map<Address, Account | undefined>();
  const baseSlots = new Map<string, Hash>();
  /** Whether the store has slots of the account. */
  const baseStorage = new Map<Address, boolean>();
  const accounts = new Map<Address, Account | undefined>();
  const slots = new Map<Address, Map<Hash, Hash>>();
  /** Accounts whose slots in the store no longer count. */
  const cleared = new Map<Address, true>();
  const codes = new Map<Hash, Uint8Array>();
  const undo: (() => void)[] = [];
  const marks: number[] = [];
  let dirty: Dirty = { accounts: new Set(), cleared: new Set(), slots: new Map() };

  // All functions are methods: a call makes an overlay, and tsx names every other function that is made by a call of
  // its own, which took a fifth of the time of a small call.
  const overlay: Overlay = {
    findBaseAccount(address) {
      const known = baseAccounts.get(address);
      if (known !== undefined || baseAccounts.has(address)) return known;
      return keep(baseAccounts, address, base?.store.findAccount(address, base.block));
    },
    getBaseSlot(address, slot) {
      const key = address + slot;
      const known = baseSlots.get(key);
      if (known !== undefined) return known;
      const found = base?.store.findSlot(address, slot, base.block);
      return keep(baseSlots, key, found instanceof Promise ? found.then(orZero) : orZero(found));
    },
    getSlot(address, slot) {
      const written = slots.get(address)?.get(slot);
      if (written !== undefined) return written;
      return cleared.has(address) ? zeroWord : overlay.getBaseSlot(address, slot);
    },
    findAccount(address) {
      const written = accounts.get(address);
      return written !== undefined || accounts.has(address) ? written : overlay.findBaseAccount(address);
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
    getCode(hash) {
      if (hash === emptyCodeHash) return emptyCode;
      const known = codes.get(hash) ?? codeCache.get(hash);
      if (known) return known;
      const found = base?.store.findCode(hash);
      return found instanceof Promise ? found.then((code) => keepCode(hash, code)) : keepCode(hash, found);
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
    hasStorage(address) {
      for (const value of slots.get(address)?.values() ?? []) if (value !== zeroWord) return true;
      if (!base || cleared.has(address)) return false;
      const account = overlay.findBaseAccount(address);
      if (account instanceof Promise) {
        return account.then((known) => known !== undefined && hasBaseStorage(base, baseStorage, address));
      }
      return account !== undefined && hasBaseStorage(base, baseStorage, address);
    },
    writtenSlots(address) {
      return slots.get(address) ?? noSlots;
    },
    codes() {
      return codes;
    },
  };
  return overlay;
}

/** Whether the store has slots of the account; known is what it was asked before. */
function hasBaseStorage(
  { store, block }: NonNullable<BaseState>,
  known: Map<Address, boolean>,
  address: Address,
): Awaitable<boolean> {
  const before = known.get(address);
  if (before !== undefined) return before;
  const found = store.listSlots(address, block, { limit: 1 });
  return keep(known, address, found instanceof Promise ? found.then(({ length }) => length > 0) : found.length > 0);
}

/** Puts back what the map has for the key now. */
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

/** Puts a value that may still be on its way into the map when it is there, and answers it. */
function keep<K, V>(map: Map<K, V>, key: K, value: Awaitable<V>): Awaitable<V> {
  if (value instanceof Promise) {
    return value.then((known) => {
      map.set(key, known);
      return known;
    });
  }
  map.set(key, value);
  return value;
}

function orZero(value: Hash | undefined): Hash {
  return value ?? zeroWord;
}

function keepCode(hash: Hash, code: Uint8Array | undefined): Uint8Array {
  if (!code) throw new Error(`Code ${hash} is not in the database.`);
  if (!codeCache.has(hash)) cachedBytes += code.length;
  codeCache.set(hash, code);
  for (const [oldest, bytes] of codeCache) {
    if (cachedBytes <= codeCacheBytes) break;
    codeCache.delete(oldest);
    cachedBytes -= bytes.length;
  }
  return code;
}
