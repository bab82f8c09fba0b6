/**
 * The state of one transaction pool, and functions that search it. A sender's transactions are pending if they follow
 * the account's nonce without a gap; all others are queued. Counts and reserved wei always match the lists.
 */
import type { Listeners } from "@/lib/createListeners";
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord, PoolStore } from "@/server/ports/store";

/** A pending or queued transaction. */
export type PoolEntry = {
  transaction: Transaction;
  /** Replaced, never mutated. */
  record: PoolRecord;
  /** Order of arrival. */
  sequence: number;
  costWei: bigint;
};

export type PoolSender = {
  address: Address;
  /** Account at the head. */
  nonce: bigint;
  balance: bigint;
  /** Nonce after the last pending transaction. */
  next: bigint;
  reservedWei: bigint;
  /** Ascending by nonce. */
  entries: PoolEntry[];
};

export type PoolEvent = {
  added: Transaction[];
  removed: { hash: Hash; status: PoolRecord["status"]; reason?: string }[];
};

export type PoolLimits = {
  transactions: number;
  perSender: number;
  /** The total size of all transactions in the pool, sidecars included. */
  bytes: number;
  /** How long transactions stay in the pool, and how long outcomes are kept. */
  lifetimeMs: number;
  keepMs: number;
  /** How many outcomes are kept. */
  remembered: number;
};

export type PoolState = {
  store: PoolStore;
  limits: PoolLimits;
  /** Whether other instances write the same store. If so, each instance writes only its own decisions. */
  isShared: boolean;
  write: (task: () => Promise<void>) => Promise<void>;
  now: () => number;
  listeners: Listeners<PoolEvent>;
  entries: Map<Hash, PoolEntry>;
  senders: Map<Address, PoolSender>;
  /**
   * When a sender's transaction was last stopped because it ran too long. For a while, that sender's transactions come
   * last.
   */
  slowSenders: Map<Address, number>;
  pending: number;
  bytes: number;
  /** The sequence of the next entry. */
  sequence: number;
  /** The records of transactions that left the pool, in the order they left. */
  outcomes: Map<Hash, PoolRecord>;
  outcomesBySender: Map<Address, Set<Hash>>;
  /** Records that changed and are not in the store yet. */
  dirty: Set<Hash>;
  flushing: Promise<void> | undefined;
};

export function findEntryAt(state: PoolState, address: Address, nonce: bigint): PoolEntry | undefined {
  const sender = state.senders.get(address);
  const entry = sender?.entries[findPosition(sender, nonce)];
  return entry?.transaction.nonce === nonce ? entry : undefined;
}

/** The index of a nonce in the sender's list, or where to insert it. */
export function findPosition({ entries }: PoolSender, nonce: bigint): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle]!.transaction.nonce < nonce) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function announce({ listeners }: PoolState, event: PoolEvent): void {
  if (event.added.length > 0 || event.removed.length > 0) listeners.announce(event);
}
