/**
 * The state a job works on: what the store knows at the end of one block, and over it everything the job has changed.
 * Every change is undone exactly by revert(); nothing reaches the store from here.
 */
import { emptyCodeHash, keccakHex } from "@/server/chain/codec/hash";
import type { Account, Address, Hash } from "@/server/chain/types";
import type { BlockStore, StateStore } from "@/server/storage/port";

/** What execution reads: state by block, and older headers for BLOCKHASH. */
export type ExecutionStore = StateStore & Pick<BlockStore, "findHeader">;

export const zeroWord: Hash = `0x${"00".repeat(32)}`;

/** Where the reads below the changes come from; undefined answers that there is nothing (a genesis). */
export type BaseState = { store: ExecutionStore; block: number } | undefined;

export type Overlay = {
  findAccount(address: Address): Promise<Account | undefined>;
  putAccount(address: Address, account: Account | undefined): void;
  getSlot(address: Address, slot: Hash): Promise<Hash>;
  putSlot(address: Address, slot: Hash, value: Hash): void;
  /** Makes every slot of the account zero, those of the store included. */
  clearStorage(address: Address): void;
  getCode(hash: Hash): Promise<Uint8Array>;
  /** Keeps the code and answers its hash. */
  addCode(code: Uint8Array): Hash;
  checkpoint(): void;
  commit(): void;
  revert(): void;
  /** The slot's value when the transaction began (EIP-2200). */
  getOriginalSlot(address: Address, slot: Hash): Promise<Hash>;
  /** The state as it is now becomes the original one. */
  beginTransaction(): void;
  /** As before any change: what the store has. */
  findBaseAccount(address: Address): Promise<Account | undefined>;
  getBaseSlot(address: Address, slot: Hash): Promise<Hash>;
  /** Accounts and slots that were written since the last call, whether or not they differ in the end. */
  takeDirty(): Dirty;
  /** Whether the store's slots of the account no longer count. */
  isCleared(address: Address): boolean;
  /** Whether any slot is not zero. Costs one query for an account that the store has. */
  hasStorage(address: Address): Promise<boolean>;
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
  const originals = new Map<string, Hash>();
  const undo: (() => void)[] = [];
  const marks: number[] = [];
  let dirty: Dirty = { accounts: new Set(), cleared: new Set(), slots: new Map() };

  async function findBaseAccount(address: Address): Promise<Account | undefined> {
    if (baseAccounts.has(address)) return baseAccounts.get(address);
    const account = await base?.store.findAccount(address, base.block);
    baseAccounts.set(address, account);
    return account;
  }

  async function getBaseSlot(address: Address, slot: Hash): Promise<Hash> {
    const key = address + slot;
    const known = baseSlots.get(key);
    if (known !== undefined) return known;
    const value = (await base?.store.findSlot(address, slot, base.block)) ?? zeroWord;
    baseSlots.set(key, value);
    return value;
  }

  async function getSlot(address: Address, slot: Hash): Promise<Hash> {
    const written = slots.get(address)?.get(slot);
    if (written !== undefined) return written;
    return cleared.has(address) ? zeroWord : getBaseSlot(address, slot);
  }

  function restore<K, V>(map: Map<K, V>, key: K): void {
    if (marks.length === 0) return;
    const had = map.has(key);
    const before = map.get(key);
    undo.push(() => {
      if (had) map.set(key, before as V);
      else map.delete(key);
    });
  }

  return {
    findBaseAccount,
    getBaseSlot,
    getSlot,
    async findAccount(address) {
      return accounts.has(address) ? accounts.get(address) : findBaseAccount(address);
    },
    putAccount(address, account) {
      restore(accounts, address);
      accounts.set(address, account);
      dirty.accounts.add(address);
    },
    putSlot(address, slot, value) {
      const key = address + slot;
      let ofAccount = slots.get(address);
      if (!ofAccount) {
        ofAccount = new Map();
        slots.set(address, ofAccount);
      }
      if (!originals.has(key)) {
        // SSTORE reads the slot for its price before it writes, so the value before is known here.
        const before = ofAccount.get(slot) ?? (cleared.has(address) ? zeroWord : baseSlots.get(key));
        if (before !== undefined) originals.set(key, before);
      }
      restore(ofAccount, slot);
      ofAccount.set(slot, value);
      const written = dirty.slots.get(address);
      if (written) written.add(slot);
      else dirty.slots.set(address, new Set([slot]));
    },
    clearStorage(address) {
      restore(slots, address);
      slots.delete(address);
      restore(cleared, address);
      cleared.set(address, true);
      dirty.cleared.add(address);
      dirty.accounts.add(address);
    },
    async getCode(hash) {
      if (hash === emptyCodeHash) return emptyCode;
      const known = codes.get(hash) ?? codeCache.get(hash);
      if (known) return known;
      const code = await base?.store.findCode(hash);
      if (!code) throw new Error(`Code ${hash} is not in the database.`);
      keepCode(hash, code);
      return code;
    },
    addCode(code) {
      if (code.length === 0) return emptyCodeHash;
      const hash = keccakHex(code);
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
    async getOriginalSlot(address, slot) {
      return originals.get(address + slot) ?? getSlot(address, slot);
    },
    beginTransaction() {
      originals.clear();
    },
    takeDirty() {
      const taken = dirty;
      dirty = { accounts: new Set(), cleared: new Set(), slots: new Map() };
      return taken;
    },
    isCleared: (address) => cleared.has(address),
    async hasStorage(address) {
      for (const value of slots.get(address)?.values() ?? []) if (value !== zeroWord) return true;
      if (!base || cleared.has(address) || !(await findBaseAccount(address))) return false;
      let known = baseStorage.get(address);
      if (known === undefined) {
        known = (await base.store.listSlots(address, base.block, { limit: 1 })).length > 0;
        baseStorage.set(address, known);
      }
      return known;
    },
    writtenSlots: (address) => slots.get(address) ?? noSlots,
    codes: () => codes,
  };
}

const noSlots: ReadonlyMap<Hash, Hash> = new Map();
const emptyCode = new Uint8Array(0);

function keepCode(hash: Hash, code: Uint8Array): void {
  codeCache.set(hash, code);
  cachedBytes += code.length;
  for (const [oldest, bytes] of codeCache) {
    if (cachedBytes <= codeCacheBytes) break;
    codeCache.delete(oldest);
    cachedBytes -= bytes.length;
  }
}
