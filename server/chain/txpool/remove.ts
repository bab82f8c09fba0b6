/** Removes transactions from the pool when they are mined, dropped, replaced or expired. */
import { removeEntry, updateSender } from "@/server/chain/txpool/entries";
import { forgetOldOutcomes, recordOutcome, toMinedRecord, toOutcome } from "@/server/chain/txpool/outcomes";
import { announce, type PoolEvent, type PoolState } from "@/server/chain/txpool/state";
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

/** What a block changes in the pool. */
export type PoolSettlement = {
  mined: Transaction[];
  /** `isSlow` means that the transaction ran too long. */
  rejected: { hash: Hash; reason: string; isSlow?: boolean }[];
  /** The accounts that the block changed. `account` is undefined if the block deleted the account. */
  accounts: { address: Address; account: { nonce: bigint; balance: bigint } | undefined }[];
};

const maxSlowSenders = 10_000;

/** Moves a transaction from the pool to the outcomes. The caller must announce the removal. */
export function leave(
  state: PoolState,
  hash: Hash,
  status: PoolRecord["status"],
  reason: string,
): PoolEvent["removed"] {
  const entry = removeEntry(state, hash);
  if (!entry) return [];
  recordOutcome(state, toOutcome(entry, status, reason, state.now()));
  state.dirty.add(hash);
  return [{ hash, status, reason }];
}

/** Remembers the senders of slow transactions. Call this before those transactions leave the pool. */
function recordSlow({ slowSenders, entries, now }: PoolState, rejected: PoolSettlement["rejected"]): void {
  for (const { hash, isSlow } of rejected) {
    const from = isSlow && entries.get(hash)?.transaction.from;
    if (!from) continue;
    // Deletes the entry first, so that the map stays in chronological order.
    slowSenders.delete(from);
    slowSenders.set(from, now());
    const [[oldest] = [from]] = slowSenders;
    if (slowSenders.size > maxSlowSenders) slowSenders.delete(oldest);
  }
}

/** Drops transactions, each with its own reason. */
export function dropTransactions(state: PoolState, rejected: PoolSettlement["rejected"]): void {
  recordSlow(state, rejected);
  announce(state, {
    added: [],
    removed: rejected.flatMap(({ hash, reason }) => leave(state, hash, "dropped", reason)),
  });
}

/**
 * Drops a transaction that could not be stored. The drop is not written to a shared store, because another instance may
 * have accepted the transaction.
 */
export function withdrawTransaction(state: PoolState, hash: Hash): void {
  dropTransactions(state, [{ hash, reason: "the database could not store it" }]);
  if (state.isShared) state.dirty.delete(hash);
}

/** Drops all transactions for the same `reason` and forgets all outcomes. The stored pool is already empty. */
export function clearPool(state: PoolState, reason: string): void {
  const removed = [...state.entries.keys()].flatMap((hash) => leave(state, hash, "dropped", reason));
  state.outcomes.clear();
  state.outcomesBySender.clear();
  state.dirty.clear();
  announce(state, { added: [], removed });
}

/** Removes transactions that have expired, and deletes old outcomes. */
export function sweepPool(state: PoolState): void {
  const { lifetimeMs } = state.limits;
  const reason = `not included within ${Math.round(lifetimeMs / 60_000)} minutes`;
  const old = [...state.entries.values()].filter(({ record }) => record.seenAtMs + lifetimeMs <= state.now());
  const removed = old.flatMap(({ record }) => leave(state, record.hash, "expired", reason));
  forgetOldOutcomes(state);
  announce(state, { added: [], removed });
}

/** The pool records that must be written when the block is committed. */
export function toSettledRecords(
  { entries, outcomes, now }: PoolState,
  { mined, rejected }: PoolSettlement,
): PoolRecord[] {
  const at = now();
  const records: PoolRecord[] = [];
  for (const { hash } of mined) {
    // This instance may have replaced or dropped the transaction while the block was being built.
    const record = entries.get(hash)?.record ?? outcomes.get(hash);
    if (record) records.push(toMinedRecord(record, at));
  }
  for (const { hash, reason } of rejected) {
    const entry = entries.get(hash);
    if (entry) records.push(toOutcome(entry, "dropped", reason, at));
  }
  return records;
}

/** Updates the pool after a block was committed. `records` are the pool records that were written with the block. */
export function settleBlock(state: PoolState, { accounts, rejected }: PoolSettlement, records: PoolRecord[]): void {
  recordSlow(state, rejected);
  const settled = new Set(records.map(({ hash }) => hash));
  const senders = new Map<Address, { nonce: bigint; balance: bigint }>();
  for (const { sender } of records) {
    const known = state.senders.get(sender);
    if (known) senders.set(sender, known);
  }
  for (const { address, account } of accounts) senders.set(address, account ?? { nonce: 0n, balance: 0n });
  const removed = [...senders].flatMap(([address, account]) => dropInvalid(state, address, account, settled));
  for (const record of records) {
    recordOutcome(state, record);
    state.dirty.delete(record.hash);
    const { hash, status, reason } = record;
    removed.push({ hash, status, ...(reason !== undefined && { reason }) });
  }
  announce(state, { added: [], removed });
}

/**
 * Removes the transactions that the block mined. Drops transactions that the sender's new nonce or balance makes
 * invalid.
 */
function dropInvalid(
  state: PoolState,
  address: Address,
  { nonce, balance }: { nonce: bigint; balance: bigint },
  settled: ReadonlySet<Hash>,
): PoolEvent["removed"] {
  const gone = updateSender(
    state,
    address,
    { nonce, balance },
    ({ transaction, record, costWei }) => settled.has(record.hash) || transaction.nonce < nonce || costWei > balance,
  );
  const dropped = gone.filter(({ record }) => !settled.has(record.hash));
  return dropped.map((entry) => {
    const { hash } = entry.record;
    const reason =
      entry.transaction.nonce < nonce
        ? `nonce too low: next nonce ${nonce}, transaction nonce ${entry.transaction.nonce}`
        : `insufficient funds for gas * price + value: balance ${balance}, transaction cost ${entry.costWei}`;
    recordOutcome(state, toOutcome(entry, "dropped", reason, state.now()));
    state.dirty.add(hash);
    return { hash, status: "dropped", reason };
  });
}
