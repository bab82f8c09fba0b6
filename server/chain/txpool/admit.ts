/**
 * Adds transactions to the pool: those that were submitted to this instance, restored from the store, or merged from
 * another instance. If instances accepted different transactions with the same sender and nonce, all instances keep the
 * same transaction.
 */
import { insertEntry, removeEntry } from "@/server/chain/txpool/entries";
import { forgetOutcome, recordOutcome } from "@/server/chain/txpool/outcomes";
import { leave } from "@/server/chain/txpool/remove";
import { announce, findEntryAt, type PoolEntry, type PoolEvent, type PoolState } from "@/server/chain/txpool/state";
import { assertReplacement, assertSender, type SenderAccount } from "@/server/chain/txpool/validate";
import { TransactionRefusedError } from "@/server/ethereum/errors";
import { feeCap } from "@/server/ethereum/fees";
import type { Transaction } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

/** A stored record. If it is pending or queued, `waiting` has the transaction and its sender's account. */
export type PoolChange = { record: PoolRecord; waiting?: { transaction: Transaction; account: SenderAccount } };

export function addTransaction(
  state: PoolState,
  transaction: Transaction,
  raw: Uint8Array,
  account: SenderAccount,
): void {
  const { hash, from, nonce } = transaction;
  if (state.entries.has(hash)) throw new TransactionRefusedError("already known", hash);
  const sender = state.senders.get(from);
  const old = findEntryAt(state, from, nonce);
  const reservedWei = (sender?.reservedWei ?? 0n) - (old?.costWei ?? 0n);
  assertSender(transaction, { ...account, reservedWei });
  const removed: PoolEvent["removed"] = [];
  if (old) {
    assertReplacement(old.transaction, transaction);
    removed.push(...leave(state, old.record.hash, "replaced", `replaced by ${hash}`));
  } else {
    if (sender && sender.entries.length >= state.limits.perSender) {
      throw new TransactionRefusedError(
        "account limit exceeded",
        `${from} already has ${sender.entries.length} transactions in the pool`,
      );
    }
    removed.push(...makeRoom(state, transaction, raw.length, nonce === (sender?.next ?? account.nonce)));
  }
  // A dropped transaction may be submitted again. In that case, its old outcome is obsolete.
  forgetOutcome(state, hash);
  const at = state.now();
  insertEntry(
    state,
    transaction,
    { hash, sender: from, nonce, raw, status: "queued", seenAtMs: at, changedAtMs: at },
    account,
  );
  state.dirty.add(hash);
  announce(state, { added: [transaction], removed });
}

/**
 * Drops the cheapest queued transactions until one more transaction fits. Throws if none is left to drop, or if the new
 * transaction would be queued too and isn't more expensive.
 */
function makeRoom(state: PoolState, transaction: Transaction, bytes: number, isPending: boolean): PoolEvent["removed"] {
  const { limits, entries } = state;
  const removed: PoolEvent["removed"] = [];
  while (entries.size >= limits.transactions || state.bytes + bytes > limits.bytes) {
    const cheapest = findCheapestQueued(entries.values());
    if (!cheapest || (!isPending && feeCap(cheapest.transaction) >= feeCap(transaction))) {
      announce(state, { added: [], removed });
      throw new TransactionRefusedError("txpool is full", `it holds ${entries.size} transactions`);
    }
    const reason = "evicted: the pool was full and this was the cheapest";
    removed.push(...leave(state, cheapest.record.hash, "dropped", reason));
  }
  return removed;
}

/**
 * If several transactions are equally cheap, picks the newest. A scan is fast enough, because it only runs if the pool
 * is full.
 */
function findCheapestQueued(entries: Iterable<PoolEntry>): PoolEntry | undefined {
  let cheapest: PoolEntry | undefined;
  for (const entry of entries) {
    if (entry.record.status !== "queued") continue;
    if (!cheapest || feeCap(entry.transaction) <= feeCap(cheapest.transaction)) cheapest = entry;
  }
  return cheapest;
}

/** Restores a record that an earlier run of the node stored. */
export function restoreRecord(state: PoolState, { record, waiting }: PoolChange): void {
  if (waiting) insertEntry(state, waiting.transaction, record, waiting.account);
  else recordOutcome(state, record);
  if (waiting && !state.isShared) state.dirty.add(record.hash);
}

/** Merges changes that other instances made. Skips records that this instance has changed but not written yet. */
export function mergeChanges(state: PoolState, changes: PoolChange[]): void {
  const event: PoolEvent = { added: [], removed: [] };
  for (const { record, waiting } of changes) {
    const { hash, status, reason } = record;
    if (state.dirty.has(hash)) continue;
    if (!waiting) {
      if (removeEntry(state, hash)) event.removed.push({ hash, status, ...(reason !== undefined && { reason }) });
      recordOutcome(state, record);
    } else if (!state.entries.has(hash) && state.outcomes.get(hash)?.status !== "mined") {
      event.removed.push(...mergeTransaction(state, record, waiting.transaction, waiting.account));
      if (state.entries.has(hash)) event.added.push(waiting.transaction);
    }
  }
  announce(state, event);
}

function mergeTransaction(
  state: PoolState,
  record: PoolRecord,
  transaction: Transaction,
  account: SenderAccount,
): PoolEvent["removed"] {
  const { hash, nonce } = record;
  if (nonce < account.nonce) {
    return refuse(state, record, "dropped", `nonce too low: next nonce ${account.nonce}, transaction nonce ${nonce}`);
  }
  const rival = findEntryAt(state, transaction.from, nonce);
  if (rival && isPreferred(rival.transaction, transaction)) {
    return refuse(state, record, "replaced", `replaced by ${rival.record.hash}`);
  }
  const removed = rival ? leave(state, rival.record.hash, "replaced", `replaced by ${hash}`) : [];
  forgetOutcome(state, hash);
  insertEntry(state, transaction, record, account);
  return removed;
}

/** Records the outcome of a transaction that was never in this pool. */
function refuse(
  state: PoolState,
  record: PoolRecord,
  status: PoolRecord["status"],
  reason: string,
): PoolEvent["removed"] {
  recordOutcome(state, { ...record, status, reason, changedAtMs: state.now() });
  state.dirty.add(record.hash);
  return [{ hash: record.hash, status, reason }];
}

/** Returns whether the first of two competing transactions wins. Only one of them can be included. */
function isPreferred(one: Transaction, other: Transaction): boolean {
  const [cap, otherCap] = [feeCap(one), feeCap(other)];
  return cap === otherCap ? one.hash < other.hash : cap > otherCap;
}
