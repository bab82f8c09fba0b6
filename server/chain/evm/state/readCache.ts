/**
 * What runs of this thread read of the state, kept for the runs after them: accounts, slots, the first slot of an
 * account, older headers. A value is kept under the block's hash and the era in which it was read, and only where the
 * store says that this era lasted from before the block was asked for until after the read: so nothing kept is ever
 * wrong, whoever takes a chain back or edits its state, and nobody has to be told of it. Bounded per store.
 */
import {
  accountsTogether,
  fromSlotKey,
  joinKeys,
  noKeys,
  roundKeys,
  slotsTogether,
  toSlotKey,
} from "@/server/chain/evm/state/keysTogether";
import type { ExecutionStore } from "@/server/chain/evm/state/overlay";
import type { Account, Address, Hash, Header } from "@/server/chain/types";
import type { Awaitable, ChangeStore, Era, EraStore, StateKeys } from "@/server/storage/port";

export type CacheableStore = ExecutionStore & EraStore & Pick<ChangeStore, "isShared">;

/** Which state a run reads: that at the end of the block of this hash, as it was known in an era that was asked first. */
export type StateAt = { era: Era; hash: Hash };

/** Values of all states of one store; some 300 bytes each. One run may bring as many again before they are counted. */
export const maxValues = 20_000;
/** What a state takes that has none, in values. */
const valuesPerState = 8;
const absent = Symbol("absent");

/** Values of one kind at one state. Those fetched before a run asked for them do not count as used. */
type Kind<K, V> = { used: Map<K, V>; ahead: Map<K, V> };
type FirstSlots = { slot: Hash; value: Hash }[];

type KeptState = {
  key: string;
  era: Era;
  /** How many it has, what is not proven yet included. */
  values: number;
  accounts: Kind<Address, Account | undefined>;
  slots: Kind<string, Hash | undefined>;
  firstSlots: Kind<Address, FirstSlots>;
  headers: Kind<number, Header | undefined>;
  /** Puts in what was read without the era at hand, which has to be asked first. */
  unproven: (() => void)[];
  /** Keys that the next round trip brings along. */
  expected: StateKeys;
  reads: ExecutionStore;
};

type Cache = { states: Map<string, KeptState>; newest?: KeptState; values: number };
const caches = new WeakMap<CacheableStore, Cache>();

/**
 * The store as a run on the state of one block may read it, answering what is kept at once. expected are keys that the
 * run will surely ask for: where the store is far away they come with the first that is missing. Without `at` nothing
 * is kept.
 */
export function openReads(
  store: CacheableStore,
  block: number,
  at: StateAt | undefined,
  expected: StateKeys = noKeys,
): ExecutionStore {
  if (!at) return store;
  let cache = caches.get(store);
  if (!cache) {
    cache = { states: new Map(), values: 0 };
    caches.set(store, cache);
  }
  trim(cache);
  const key = `${at.era} ${at.hash}`;
  const known = cache.states.get(key);
  if (known) cache.states.delete(key);
  const state = known ?? createState(store, cache, block, key, at.era);
  // Insertion order is the order of use.
  cache.states.set(key, state);
  cache.newest = state;
  if (!known) count(cache, state, valuesPerState);
  if (state.unproven.length > 0) prove(store, cache, state);
  if (store.isShared && expected !== noKeys) state.expected = joinKeys(expected, state.expected);
  return state.reads;
}

/** Values that are kept of a store, and places of those that are being looked at. */
export function countKept(store: CacheableStore): number {
  return caches.get(store)?.values ?? 0;
}

function createState(store: CacheableStore, cache: Cache, block: number, key: string, era: Era): KeptState {
  const { newest } = cache;
  const state: KeptState = {
    key,
    era,
    values: 0,
    accounts: createKind(),
    slots: createKind(),
    firstSlots: createKind(),
    headers: createKind(),
    unproven: [],
    // What was used on the block before is likely to be used on this one.
    expected: newest && store.isShared ? listUsed(newest) : noKeys,
    reads: store,
  };

  /** Keeps a value that came without its era once the era is known to be the same still. */
  function keepLater<K, V>(kind: Kind<K, V>, key: K, found: Awaitable<V>): Awaitable<V> {
    if (found instanceof Promise) {
      return found.then((value) => {
        putUnproven(kind, key, value);
        prove(store, cache, state);
        return value;
      });
    }
    putUnproven(kind, key, found);
    return found;
  }

  function putUnproven<K, V>(kind: Kind<K, V>, key: K, value: V): void {
    if (!count(cache, state, 1)) return;
    state.unproven.push(() => {
      if (has(kind, key)) count(cache, state, -1);
      else kind.used.set(key, value);
    });
  }

  function putAhead<K, V>(kind: Kind<K, V>, key: K, value: V): void {
    if (!has(kind, key) && count(cache, state, 1)) kind.ahead.set(key, value);
  }

  /** Fetches the keys, the first of which was asked for, and what is expected with them. */
  async function fetch(wanted: StateKeys) {
    const keys = roundKeys(joinKeys(wanted, listMissing(state)));
    state.expected = noKeys;
    const values = await store.readState(keys, block);
    if (values.era === era) {
      keys.accounts.forEach((address, place) => void putAhead(state.accounts, address, values.accounts[place]));
      keys.slots.forEach((slot, place) => void putAhead(state.slots, toSlotKey(slot), values.slots[place]));
      take(state.accounts, wanted.accounts[0]);
      if (wanted.slots[0]) take(state.slots, toSlotKey(wanted.slots[0]));
    }
    return values;
  }

  state.reads = {
    findAccount(address, number) {
      if (number !== block) return store.findAccount(address, number);
      const known = take(state.accounts, address);
      if (known !== absent) return known;
      if (!store.isShared) return keepLater(state.accounts, address, store.findAccount(address, block));
      return fetch({ accounts: [address], slots: [] }).then(({ accounts }) => accounts[0]);
    },
    findSlot(address, slot, number) {
      if (number !== block) return store.findSlot(address, slot, number);
      const key = toSlotKey({ address, slot });
      const known = take(state.slots, key);
      if (known !== absent) return known;
      if (!store.isShared) return keepLater(state.slots, key, store.findSlot(address, slot, block));
      return fetch({ accounts: [], slots: [{ address, slot }] }).then(({ slots }) => slots[0]);
    },
    listSlots(address, number, page) {
      // Whether there is any is all that a run asks.
      if (number !== block || page.limit !== 1 || page.after) return store.listSlots(address, number, page);
      const known = take(state.firstSlots, address);
      return known !== absent ? known : keepLater(state.firstSlots, address, store.listSlots(address, number, page));
    },
    findHeader(number) {
      // Only what is before the state is as sure as the state.
      if (number > block) return store.findHeader(number);
      const known = take(state.headers, number);
      return known !== absent ? known : keepLater(state.headers, number, store.findHeader(number));
    },
    findCode: (hash) => store.findCode(hash),
    findTrieNode: (hash) => store.findTrieNode(hash),
    findEditedRoot: (number) => store.findEditedRoot(number),
  };
  return state;
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

/** Counts values of a state; false, and not counted, where it has as many as there may be. */
function count(cache: Cache, state: KeptState, values: number): boolean {
  if (values > 0 && state.values >= maxValues) return false;
  state.values += values;
  // A run may still read a state that is no longer kept.
  if (cache.states.get(state.key) === state) cache.values += values;
  return true;
}

/** Keeps what was read while the era lasted; where another one began meanwhile, nothing of it. */
function prove(store: CacheableStore, cache: Cache, state: KeptState): void {
  const reads = state.unproven;
  state.unproven = [];
  const settle = (era: Era) => {
    if (era === state.era) for (const keep of reads) keep();
    else count(cache, state, -reads.length);
  };
  const era = store.findEra();
  // A run has its values without it, so a database that fails here is told by the next read.
  if (era instanceof Promise) era.then(settle, () => count(cache, state, -reads.length));
  else settle(era);
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

/** Forgets the states that were not used the longest. */
function trim(cache: Cache): void {
  for (const [key, state] of cache.states) {
    if (cache.values <= maxValues) return;
    cache.states.delete(key);
    cache.values -= state.values;
  }
}
