/** Keeps the outcomes of transactions that have left the pool, up to a maximum age and number. */
import type { PoolEntry, PoolState } from "@/server/chain/txpool/state";
import type { Address, Hash } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

export function recordOutcome(state: PoolState, record: PoolRecord): void {
  // Deletes the old record first, so that the map stays in the order in which transactions left.
  forgetOutcome(state, record.hash);
  state.outcomes.set(record.hash, record);
  const hashes = state.outcomesBySender.get(record.sender);
  if (hashes) hashes.add(record.hash);
  else state.outcomesBySender.set(record.sender, new Set([record.hash]));
}

export function forgetOutcome({ outcomes, outcomesBySender }: PoolState, hash: Hash): void {
  const record = outcomes.get(hash);
  if (!record) return;
  outcomes.delete(hash);
  const hashes = outcomesBySender.get(record.sender);
  hashes?.delete(hash);
  if (hashes?.size === 0) outcomesBySender.delete(record.sender);
}

/**
 * Deletes outcomes that are too old or exceed the maximum number. Deletes them from memory at once, and from the store
 * at the next flush.
 */
export function forgetOldOutcomes(state: PoolState): void {
  const { outcomes, limits } = state;
  for (const { hash, changedAtMs } of outcomes.values()) {
    if (outcomes.size <= limits.remembered && changedAtMs + limits.keepMs > state.now()) return;
    forgetOutcome(state, hash);
    state.dirty.add(hash);
  }
}

/** Transactions that left the pool without being mined, latest first. */
export function listDropped({ outcomes }: PoolState, limit: number): PoolRecord[] {
  const unmined = [...outcomes.values()].filter(({ status }) => status !== "mined");
  return unmined.slice(-limit).reverse();
}

export function listOutcomesOf({ outcomes, outcomesBySender }: PoolState, sender: Address): PoolRecord[] {
  return [...(outcomesBySender.get(sender) ?? [])].map((hash) => outcomes.get(hash)!);
}

/** Stores outcomes without blobs, because nobody needs the blobs after the transaction has left the pool. */
export function toOutcome(
  { record, transaction }: PoolEntry,
  status: PoolRecord["status"],
  reason: string,
  changedAtMs: number,
): PoolRecord {
  return { ...record, raw: transaction.raw, status, changedAtMs, reason };
}

const noBytes = new Uint8Array();

/** Stores mined transactions without their bytes, because the block contains the bytes. */
export function toMinedRecord({ reason: _, ...record }: PoolRecord, changedAtMs: number): PoolRecord {
  return { ...record, raw: noBytes, status: "mined", changedAtMs };
}
