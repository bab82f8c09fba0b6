/**
 * Caches state values that this thread's runs have read. The key includes the block's hash and chain version. A value
 * is only cached if the version is the same after the read, so rewinds and edits never leave a wrong value.
 */

import { toRead } from "@/server/ethereum/pending";
import type { Account, Address, Hash } from "@/server/ethereum/types";
import {
  accountsTogether,
  fromSlotKey,
  joinKeys,
  noKeys,
  roundKeys,
  slotsTogether,
  toSlotKey,
} from "@/server/execution/state/keysTogether";
import type { StateAt } from "@/server/ports/executor";
import type {
  BlockStore,
  ChainVersion,
  ChainVersionStore,
  StateKeys,
  StateReader,
  StateStore,
  Store,
} from "@/server/ports/store";

export type CacheableStore = StateStore &
  ChainVersionStore &
  Pick<BlockStore, "findHeader"> &
  Pick<Store, "stateReader">;

/**
 * Maximum number of values per store. A value takes about 300 bytes. During a single run, the number may grow to twice
 * the maximum.
 */
export const maxValues = 20_000;
/** Each state counts as this many values, in addition to those it has. */
const valuesPerState = 8;
const absent = Symbol("absent");

/**
 * The cached values of one kind for one state. `ahead` contains values that were fetched before any run requested them.
 */
type Kind<K, V> = { used: Map<K, V>; ahead: Map<K, V> };

type KeptState = {
  key: string;
  chainVersion: ChainVersion;
  block: number;
  /** The number of values that this state has, including those that are not confirmed yet. */
  values: number;
  accounts: Kind<Address, Account | undefined>;
  slots: Kind<string, Hash | undefined>;
  anySlots: Kind<Address, boolean>;
  hashes: Kind<number, Hash | undefined>;
  /** Functions that each cache one value. They are called when the chain version is confirmed. */
  unproven: (() => void)[];
  /** The keys to fetch together with the next key that a run requests. */
  expected: StateKeys;
  /**
   * All runs for this state share these reads. Undefined for an asynchronous store, where each run has its own reads.
   */
  reads: StateReader | undefined;
};

type Cache = { states: Map<string, KeptState>; newest?: KeptState; values: number };
const caches = new WeakMap<CacheableStore, Cache>();

/**
 * Opens the store for reading the state of one block. Cached values are returned immediately. An asynchronous store
 * fetches the `expected` keys together with the first missing key. Without `at`, nothing is cached.
 */
export function openReads(
  store: CacheableStore,
  block: number,
  at: StateAt | undefined,
  expected: StateKeys = noKeys,
): StateReader {
  if (!at || store.stateReader?.isCached) return store.stateReader ?? createWaitingReads(store);
  let cache = caches.get(store);
  if (!cache) {
    cache = { states: new Map(), values: 0 };
    caches.set(store, cache);
  }
  trim(cache);
  const key = `${at.chainVersion} ${at.hash}`;
  const known = cache.states.get(key);
  if (known) cache.states.delete(key);
  const state = known ?? createState(store, cache, block, key, at.chainVersion);
  // Inserts the state again, so that the map stays in the order of last use.
  cache.states.set(key, state);
  cache.newest = state;
  if (!known) count(cache, state, valuesPerState);
  if (state.reads && store.stateReader) {
    if (state.unproven.length > 0) settle(cache, state, takeUnproven(state), store.stateReader.findChainVersion());
    return state.reads;
  }
  if (expected !== noKeys) state.expected = joinKeys(expected, state.expected);
  return createKeptReads(store, cache, state);
}

/** The number of cached values for a store, including those that are being fetched. */
export function countKept(store: CacheableStore): number {
  return caches.get(store)?.values ?? 0;
}

/** Reads from an asynchronous store. Each value is fetched once. */
export function createWaitingReads(store: WaitingStore): StateReader {
  return {
    findAccount: toRead(store.findAccount),
    findSlot: toRead(store.findSlot),
    hasSlots: toRead(async (address: Address, block: number) => hasAny(await store.listSlots(address, block, one))),
    findCode: toRead(store.findCode),
    findTrieNode: toRead(store.findTrieNode),
    findBlockHash: toRead(async (block: number) => (await store.findHeader(block))?.hash),
  };
}

type WaitingStore = Omit<StateStore, "findSlotBlock" | "findEditedRoot"> & Pick<BlockStore, "findHeader">;
const one = { limit: 1 };
const hasAny = (slots: readonly unknown[]) => slots.length > 0;

function createState(
  store: CacheableStore,
  cache: Cache,
  block: number,
  key: string,
  chainVersion: ChainVersion,
): KeptState {
  const { newest } = cache;
  const state: KeptState = {
    key,
    chainVersion,
    block,
    values: 0,
    accounts: createKind(),
    slots: createKind(),
    anySlots: createKind(),
    hashes: createKind(),
    unproven: [],
    // Values that runs used at the previous block are likely to be used again.
    expected: newest && !store.stateReader ? listUsed(newest) : noKeys,
    reads: undefined,
  };
  if (store.stateReader) state.reads = createDirectReads(store.stateReader, cache, state);
  return state;
}

type StateValuesReader = Omit<StateReader, "findCode" | "findTrieNode">;

/**
 * Returns cached values immediately. Values of this state that aren't cached come from `missing`, and values of other
 * states come from `others`.
 */
function createReads(state: KeptState, others: StateReader, missing: StateValuesReader): StateReader {
  const { accounts, slots, anySlots, hashes, block } = state;
  return {
    findCode: others.findCode,
    findTrieNode: others.findTrieNode,
    findAccount(address, number) {
      if (number !== block) return others.findAccount(address, number);
      const known = take(accounts, address);
      return known !== absent ? known : missing.findAccount(address, block);
    },
    findSlot(address, slot, number) {
      if (number !== block) return others.findSlot(address, slot, number);
      const known = take(slots, toSlotKey({ address, slot }));
      return known !== absent ? known : missing.findSlot(address, slot, block);
    },
    hasSlots(address, number) {
      if (number !== block) return others.hasSlots(address, number);
      const known = take(anySlots, address);
      return known !== absent ? known : missing.hasSlots(address, block);
    },
    findBlockHash(number) {
      // Blocks after this state's block can still be replaced, so their hashes aren't cached with the state.
      if (number > block) return others.findBlockHash(number);
      const known = take(hashes, number);
      return known !== absent ? known : missing.findBlockHash(number);
    },
  };
}

/**
 * Reads from a synchronous store. The values are cached when the next run starts, if the chain version is still the
 * same.
 */
function createDirectReads(reader: StateReader, cache: Cache, state: KeptState): StateReader {
  const { accounts, slots, anySlots, hashes, block } = state;

  function keepLater<K, V>(kind: Kind<K, V>, key: K, value: V): V {
    putUnproven(cache, state, kind, key, value);
    return value;
  }

  return createReads(state, reader, {
    findAccount: (address) => keepLater(accounts, address, reader.findAccount(address, block)),
    findSlot: (address, slot) => keepLater(slots, toSlotKey({ address, slot }), reader.findSlot(address, slot, block)),
    hasSlots: (address) => keepLater(anySlots, address, reader.hasSlots(address, block)),
    findBlockHash: (number) => keepLater(hashes, number, reader.findBlockHash(number)),
  });
}

/**
 * Reads from an asynchronous store for one run. Cached values are returned immediately. Other values are fetched
 * together with the expected keys.
 */
function createKeptReads(store: CacheableStore, cache: Cache, state: KeptState): StateReader {
  const { accounts, slots, anySlots, hashes, block } = state;

  /** Fetches the wanted keys together with the expected keys. */
  async function fetch(wanted: StateKeys) {
    const keys = roundKeys(joinKeys(wanted, listMissing(state)));
    state.expected = noKeys;
    const values = await store.readState(keys, block);
    if (values.chainVersion === state.chainVersion) {
      keys.accounts.forEach((address, place) => void putAhead(cache, state, accounts, address, values.accounts[place]));
      keys.slots.forEach((slot, place) => void putAhead(cache, state, slots, toSlotKey(slot), values.slots[place]));
      take(accounts, wanted.accounts[0]);
      if (wanted.slots[0]) take(slots, toSlotKey(wanted.slots[0]));
    }
    return values;
  }

  /** Caches a value when its chain version is confirmed. */
  async function keepLater<K, V>(kind: Kind<K, V>, key: K, found: Promise<V>): Promise<V> {
    const value = await found;
    putUnproven(cache, state, kind, key, value);
    // Takes the unconfirmed values before the chain version is read, because the version says nothing about values that
    // are read later.
    const reads = takeUnproven(state);
    // If the database fails here, the next read reports it.
    store.findChainVersion().then(
      (chainVersion) => settle(cache, state, reads, chainVersion),
      () => settle(cache, state, reads, undefined),
    );
    return value;
  }

  const { findCode, findTrieNode, listSlots, findHeader } = store;
  const waiting = createWaitingReads({
    ...{ findCode, findTrieNode, listSlots, findHeader },
    findAccount: async (address) => (await fetch({ accounts: [address], slots: [] })).accounts[0],
    findSlot: async (address, slot) => (await fetch({ accounts: [], slots: [{ address, slot }] })).slots[0],
  });
  return createReads(state, waiting, {
    findAccount: waiting.findAccount,
    findSlot: waiting.findSlot,
    hasSlots: toRead((address: Address) =>
      keepLater(anySlots, address, store.listSlots(address, block, one).then(hasAny)),
    ),
    findBlockHash: toRead((number: number) =>
      keepLater(
        hashes,
        number,
        store.findHeader(number).then((header) => header?.hash),
      ),
    ),
  });
}

function createKind<K, V>(): Kind<K, V> {
  return { used: new Map(), ahead: new Map() };
}

function take<K, V>({ used, ahead }: Kind<K, V>, key: K | undefined): V | typeof absent {
  if (key === undefined) return absent;
  const value = used.get(key);
  if (value !== undefined || used.has(key)) return value as V;
  if (!ahead.has(key)) return absent;
  const fetched = ahead.get(key) as V;
  ahead.delete(key);
  used.set(key, fetched);
  return fetched;
}

const has = <K, V>({ used, ahead }: Kind<K, V>, key: K): boolean => used.has(key) || ahead.has(key);

function putAhead<K, V>(cache: Cache, state: KeptState, kind: Kind<K, V>, key: K, value: V): void {
  if (!has(kind, key) && count(cache, state, 1)) kind.ahead.set(key, value);
}

function putUnproven<K, V>(cache: Cache, state: KeptState, kind: Kind<K, V>, key: K, value: V): void {
  if (!count(cache, state, 1)) return;
  state.unproven.push(() => {
    if (has(kind, key)) count(cache, state, -1);
    else kind.used.set(key, value);
  });
}

/** Adds to the number of values in a state. Returns false if the state is full. */
function count(cache: Cache, state: KeptState, values: number): boolean {
  if (values > 0 && state.values >= maxValues) return false;
  state.values += values;
  // A run may still read a state that is no longer cached.
  if (cache.states.get(state.key) === state) cache.values += values;
  return true;
}

function takeUnproven(state: KeptState): (() => void)[] {
  const reads = state.unproven;
  state.unproven = [];
  return reads;
}

/** Caches the values if the chain version is still the state's version. Otherwise drops them. */
function settle(cache: Cache, state: KeptState, reads: (() => void)[], chainVersion: ChainVersion | undefined): void {
  if (chainVersion === state.chainVersion) for (const keep of reads) keep();
  else count(cache, state, -reads.length);
}

function listUsed({ accounts, slots }: KeptState): StateKeys {
  return {
    accounts: [...accounts.used.keys()].slice(-accountsTogether),
    slots: [...slots.used.keys()].slice(-slotsTogether).map(fromSlotKey),
  };
}

function listMissing({ expected, accounts, slots }: KeptState): StateKeys {
  return {
    accounts: expected.accounts.filter((address) => !has(accounts, address)),
    slots: expected.slots.filter((slot) => !has(slots, toSlotKey(slot))),
  };
}

/** Drops the least recently used states. */
function trim(cache: Cache): void {
  for (const [key, state] of cache.states) {
    if (cache.values <= maxValues) return;
    cache.states.delete(key);
    cache.values -= state.values;
  }
}
