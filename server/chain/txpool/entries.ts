/**
 * The pending and queued transactions in the pool: inserts and removes them, and updates them when the sender's account
 * changes.
 */
import { findPosition, type PoolEntry, type PoolSender, type PoolState } from "@/server/chain/txpool/state";
import { maxCost } from "@/server/ethereum/fees";
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

type Account = { nonce: bigint; balance: bigint };

/**
 * Adds a transaction. The pool must not contain another transaction with the same sender and nonce. `account` is the
 * sender's account at the head.
 */
export function insertEntry(
  state: PoolState,
  transaction: Transaction,
  record: PoolRecord,
  { nonce, balance }: Account,
): void {
  const address = transaction.from;
  const entry: PoolEntry = {
    transaction,
    record: { ...record, status: "queued" },
    sequence: state.sequence++,
    costWei: maxCost(transaction),
  };
  let sender = state.senders.get(address);
  if (!sender) {
    sender = { address, nonce, balance, next: nonce, reservedWei: 0n, entries: [] };
    state.senders.set(address, sender);
  }
  sender.nonce = nonce;
  sender.balance = balance;
  sender.entries.splice(findPosition(sender, transaction.nonce), 0, entry);
  sender.reservedWei += entry.costWei;
  state.entries.set(transaction.hash, entry);
  state.bytes += record.raw.length;
  promote(state, sender);
}

export function removeEntry(state: PoolState, hash: Hash): PoolEntry | undefined {
  const entry = state.entries.get(hash);
  if (entry) removeEntries(state, state.senders.get(entry.transaction.from)!, new Set([entry]));
  return entry;
}

/** Updates the sender's nonce and balance to those at a new head, and removes the entries that `isGone` selects. */
export function updateSender(
  state: PoolState,
  address: Address,
  account: Account,
  isGone: (entry: PoolEntry) => boolean,
): PoolEntry[] {
  const sender = state.senders.get(address);
  if (!sender) return [];
  sender.nonce = account.nonce;
  sender.balance = account.balance;
  const gone = sender.entries.filter(isGone);
  removeEntries(state, sender, new Set(gone));
  return gone;
}

function removeEntries(state: PoolState, sender: PoolSender, gone: ReadonlySet<PoolEntry>): void {
  for (const { record, costWei } of gone) {
    state.entries.delete(record.hash);
    state.bytes -= record.raw.length;
    sender.reservedWei -= costWei;
    if (record.status === "pending") state.pending--;
  }
  sender.entries = sender.entries.filter((entry) => !gone.has(entry));
  if (sender.entries.length === 0) state.senders.delete(sender.address);
  else promote(state, sender);
}

/** Call this after the sender's list or account has changed. Recomputes which entries are pending. */
function promote(state: PoolState, sender: PoolSender): void {
  let next = sender.nonce;
  for (const entry of sender.entries) {
    const status = entry.transaction.nonce === next ? "pending" : "queued";
    if (status === "pending") next++;
    if (entry.record.status === status) continue;
    state.pending += status === "pending" ? 1 : -1;
    entry.record = { ...entry.record, status, changedAtMs: state.now() };
    // A shared store doesn't record whether a transaction is pending, because each instance determines that for itself.
    if (!state.isShared) state.dirty.add(entry.record.hash);
  }
  sender.next = next;
}
