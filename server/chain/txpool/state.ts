/**
 * The state of one transaction pool, and functions that search it. A sender's transactions are pending if they follow
 * the account's nonce without a gap; all others are queued. The counts and `reservedWei` always match the lists.
 */
import type { Listeners } from "@/lib/createListeners";
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord, PoolStore } from "@/server/ports/store";

/** A pending or queued transaction. */
export type PoolEntry = {
  transaction: Transaction;
  /** This object is replaced, never mutated. */
  record: PoolRecord;
  /** The transaction's position in the order of arrival. */
  sequence: number;
  costWei: bigint;
};

export type PoolSender = {
  address: Address;
  /** The account's nonce and balance at the head. */
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
  /** The maximum total size of all transactions in the pool, including sidecars. */
  bytes: number;
  /** How long transactions stay in the pool, and how long outcomes are kept. */
  lifetimeMs: number;
  keepMs: number;
  /** The maximum number of outcomes to keep. */
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
   * For each sender, when a transaction was last stopped because it ran too long. For a while, that sender's
   * transactions come last.
   */
  slowSenders: Map<Address, number>;
  pending: number;
  bytes: number;
  /** The `sequence` that the next entry will get. */
  sequence: number;
  /** The records of transactions that left the pool, in the order they left. */
  outcomes: Map<Hash, PoolRecord>;
  outcomesBySender: Map<Address, Set<Hash>>;
  /** Hashes of records that have changed and are not in the store yet. */
  dirty: Set<Hash>;
  flushing: Promise<void> | undefined;
};

export function findEntryAt(state: PoolState, address: Address, nonce: bigint): PoolEntry | undefined {
  const sender = state.senders.get(address);
  const entry = sender?.entries[findPosition(sender, nonce)];
  return entry?.transaction.nonce === nonce ? entry : undefined;
}

/**
 * The index of a nonce in the sender's list. If the list doesn't contain the nonce, the index at which to insert it.
 */
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
