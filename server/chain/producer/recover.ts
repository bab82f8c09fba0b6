/**
 * Recovers from a failed block. If the store's head is newer, follows it. Otherwise, tries smaller and smaller batches
 * until one transaction is left, and drops it only if an empty block succeeds, the transaction fails again, and another
 * empty block succeeds.
 */
import { followStore } from "@/server/chain/head";
import { type BuildRight, releaseBuildRight } from "@/server/chain/producer/buildRight";
import { produceBlock } from "@/server/chain/producer/produceBlock";
import type { FailedBlock, Producer } from "@/server/chain/producer/state";
import type { PoolSettlement } from "@/server/chain/txpool/remove";
import { findErrorCode } from "@/server/ethereum/errors";
import type { Transaction } from "@/server/ethereum/types";

/** SQLite commits about 4,000 transactions per second. Larger batches would block the event loop for over 250 ms. */
export const maxBatch = 1_000;
/** The number of consecutive failures before batches get smaller, and before a single transaction is blamed. */
const attemptsPerBatch = 2;
const attemptsPerTransaction = 3;
/** Store errors after which the head may have changed, so it must be read again. */
const supersededCodes: unknown[] = ["STALE_HEAD", "LOST_LEASE", "STORE_UNCERTAIN"];
const firstRetryMs = 250;
const lastRetryMs = 5_000;

/** Call this after each success, so that the batches grow again. */
export function recordSuccess(producer: Producer): void {
  producer.failures = 0;
  producer.failingSinceMs = undefined;
  producer.suspect = undefined;
  producer.batch = Math.min(maxBatch, producer.batch * 2);
}

/** Returns the milliseconds to wait before the next attempt; 0 to try again at once. */
export async function prepareRetry(producer: Producer, failed: FailedBlock): Promise<number> {
  const { right, onError } = producer;
  if (right && supersededCodes.includes(findErrorCode(failed.error))) return giveWay(right);
  onError(failed.error);
  producer.failingSinceMs ??= Date.now();
  if (await recover(producer, failed)) return 0;
  return Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(producer.failures - 1, 10));
}

/**
 * Releases the lease and follows the other instances, because one of them may have committed a block. Transactions are
 * then selected again on top of that block.
 */
async function giveWay(right: BuildRight): Promise<number> {
  await releaseBuildRight(right);
  try {
    await right.refresh();
    return 0;
  } catch (error) {
    right.onError(error);
    return firstRetryMs;
  }
}

/** Returns whether to try again at once, because the cause may be gone. */
export async function recover(producer: Producer, failed: FailedBlock): Promise<boolean> {
  return (await hasFollowed(producer)) || (await blame(producer, failed));
}

/** Follows the store if its head is newer, because that is why the block failed. Returns whether the head changed. */
async function hasFollowed({ right, head, onError }: Producer): Promise<boolean> {
  // If there are several instances, follower.ts follows the store.
  if (right) return false;
  try {
    return await followStore(head);
  } catch (error) {
    onError(error);
    return false;
  }
}

/**
 * Returns whether to try again at once. That is useful if the next block is different or an empty block has succeeded.
 */
async function blame(producer: Producer, { error, transactions, step }: FailedBlock): Promise<boolean> {
  producer.failures++;
  // If the database is unreachable, no transaction is to blame.
  if (transactions.length === 0 || findErrorCode(error) === "STORE_UNAVAILABLE") return false;
  if (step === "commit" && (await dropMined(producer, transactions))) return true;
  if (transactions.length > 1) {
    if (producer.failures < attemptsPerBatch) return false;
    producer.batch = Math.ceil(transactions.length / 2);
    return true;
  }
  if (producer.failures < attemptsPerTransaction) return false;
  const { hash } = transactions[0]!;
  if ((await produceBlock(producer, { kind: "empty" })).kind !== "committed") {
    producer.suspect = undefined;
    return false;
  }
  // The transaction might not be the cause, so it gets a second chance.
  if (producer.suspect !== hash) {
    producer.suspect = hash;
    return true;
  }
  const message = error instanceof Error ? error.message : String(error);
  const what = step === "execute" ? "executed" : "committed";
  await drop(producer, [{ hash, reason: `it could not be ${what}: ${message}` }]);
  return true;
}

/** Drops transactions that are already mined, because no block can include them again. */
async function dropMined(producer: Producer, transactions: Transaction[]): Promise<boolean> {
  try {
    const mined = await producer.head.store.listMined(transactions.map(({ hash }) => hash));
    if (mined.length === 0) return false;
    const reason = "already known: the transaction is already in a block";
    await drop(
      producer,
      mined.map(({ hash }) => ({ hash, reason })),
    );
    return true;
  } catch (error) {
    producer.onError(error);
    return false;
  }
}

async function drop(producer: Producer, rejected: PoolSettlement["rejected"]): Promise<void> {
  const { pool } = producer.head;
  pool.drop(rejected);
  await pool.flush().catch(producer.onError);
  producer.failures = 0;
  producer.suspect = undefined;
}
