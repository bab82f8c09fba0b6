/**
 * The waiting transactions by sender, in nonce order. A sender's gapless run from the account nonce is pending and the
 * rest is queued; both counts and the reserved wei always match the lists.
 */
import { maxCost } from "@/server/ethereum/fees";
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

export type WaitingEntry = {
  transaction: Transaction;
  /** Replaced, never mutated. */
  record: PoolRecord;
  /** Order of arrival. */
  sequence: number;
  costWei: bigint;
};

export type WaitingSender = {
  address: Address;
  /** Account at the head. */
  nonce: bigint;
  balance: bigint;
  /** Nonce after the last pending transaction. */
  next: bigint;
  reservedWei: bigint;
  /** Ascending by nonce. */
  entries: WaitingEntry[];
};

export type Waiting = {
  find(hash: Hash): WaitingEntry | undefined;
  findSender(address: Address): WaitingSender | undefined;
  findAt(sender: Address, nonce: bigint): WaitingEntry | undefined;
  senders(): Iterable<WaitingSender>;
  entries(): Iterable<WaitingEntry>;
  /** Adds an entry whose sender and nonce are free; the account is the sender's at the head. */
  insert(entry: WaitingEntry, account: { nonce: bigint; balance: bigint }): void;
  remove(hash: Hash): WaitingEntry | undefined;
  /** Moves the sender to its account at a new head and removes transactions that are gone, in one step. */
  advance(
    address: Address,
    account: { nonce: bigint; balance: bigint },
    isGone: (entry: WaitingEntry) => boolean,
  ): WaitingEntry[];
  counts(): { pending: number; queued: number; bytes: number };
};

/** onStatus is called with each record that moved between pending and queued, after the move. */
export function createWaiting(onStatus: (record: PoolRecord) => void, now: () => number): Waiting {
  const byHash = new Map<Hash, WaitingEntry>();
  const bySender = new Map<Address, WaitingSender>();
  let pending = 0;
  let bytes = 0;

  function settle(sender: WaitingSender): void {
    let next = sender.nonce;
    for (const entry of sender.entries) {
      const status = entry.transaction.nonce === next ? "pending" : "queued";
      if (status === "pending") next++;
      if (entry.record.status === status) continue;
      pending += status === "pending" ? 1 : -1;
      entry.record = { ...entry.record, status, changedAtMs: now() };
      onStatus(entry.record);
    }
    sender.next = next;
  }

  function position(sender: WaitingSender, nonce: bigint): number {
    let low = 0;
    let high = sender.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sender.entries[middle]!.transaction.nonce < nonce) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function forget(sender: WaitingSender, entry: WaitingEntry): void {
    byHash.delete(entry.record.hash);
    sender.reservedWei -= entry.costWei;
    bytes -= entry.record.raw.length;
    if (entry.record.status === "pending") pending--;
  }

  function findAt(address: Address, nonce: bigint): WaitingEntry | undefined {
    const sender = bySender.get(address);
    const entry = sender?.entries[position(sender, nonce)];
    return entry?.transaction.nonce === nonce ? entry : undefined;
  }

  return {
    find: (hash) => byHash.get(hash),
    findSender: (address) => bySender.get(address),
    findAt,
    senders: () => bySender.values(),
    entries: () => byHash.values(),

    insert(entry, account) {
      const address = entry.transaction.from;
      let sender = bySender.get(address);
      if (!sender) {
        sender = { address, ...account, next: account.nonce, reservedWei: 0n, entries: [] };
        bySender.set(address, sender);
      }
      sender.nonce = account.nonce;
      sender.balance = account.balance;
      sender.entries.splice(position(sender, entry.transaction.nonce), 0, entry);
      sender.reservedWei += entry.costWei;
      byHash.set(entry.transaction.hash, entry);
      bytes += entry.record.raw.length;
      if (entry.record.status === "pending") pending++;
      settle(sender);
    },

    remove(hash) {
      const entry = byHash.get(hash);
      if (!entry) return undefined;
      const sender = bySender.get(entry.transaction.from)!;
      sender.entries.splice(position(sender, entry.transaction.nonce), 1);
      forget(sender, entry);
      if (sender.entries.length === 0) bySender.delete(sender.address);
      else settle(sender);
      return entry;
    },

    advance(address, account, isGone) {
      const sender = bySender.get(address);
      if (!sender) return [];
      sender.nonce = account.nonce;
      sender.balance = account.balance;
      const gone = sender.entries.filter(isGone);
      const left = new Set(gone);
      sender.entries = sender.entries.filter((entry) => !left.has(entry));
      for (const entry of gone) forget(sender, entry);
      if (sender.entries.length === 0) bySender.delete(address);
      else settle(sender);
      return gone;
    },

    counts: () => ({ pending, queued: byHash.size - pending, bytes }),
  };
}

export function toWaitingEntry(transaction: Transaction, record: PoolRecord, sequence: number): WaitingEntry {
  return { transaction, record, sequence, costWei: maxCost(transaction) };
}
