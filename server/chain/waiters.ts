/**
 * Lets callers wait for a transaction. Waiting ends when the transaction is mined or leaves the pool, or after a
 * timeout.
 */
import type { HeadEvent } from "@/server/chain/head";
import type { PoolEvent } from "@/server/chain/txpool/state";
import type { Hash, MinedTransaction } from "@/server/ethereum/types";

type Answer = (mined: MinedTransaction | undefined) => void;

export type Waiters = Map<Hash, Set<Answer>>;

/**
 * Resolves with the mined transaction. Resolves with undefined if the transaction leaves the pool, or if the wait times
 * out, is canceled or is released.
 */
export function waitForHash(
  waiters: Waiters,
  hash: Hash,
  timeoutMs: number,
): { mined: Promise<MinedTransaction | undefined>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<MinedTransaction | undefined>();
  const timer = setTimeout(() => answer(undefined), timeoutMs);
  const answer: Answer = (mined) => {
    clearTimeout(timer);
    const waiting = waiters.get(hash);
    waiting?.delete(answer);
    if (waiting?.size === 0) waiters.delete(hash);
    resolve(mined);
  };
  const waiting = waiters.get(hash);
  if (waiting) waiting.add(answer);
  else waiters.set(hash, new Set([answer]));
  return { mined: promise, cancel: () => answer(undefined) };
}

export function announceMined(waiters: Waiters, event: HeadEvent): void {
  if (waiters.size === 0) return;
  event.block.transactions.forEach(({ hash }, index) => {
    const waiting = waiters.get(hash);
    if (!waiting) return;
    const mined = toMinedTransaction(event, index);
    for (const answer of [...waiting]) answer(mined);
  });
}

/** Releases callers that wait for a transaction that left the pool without being mined. */
export function announceDropped(waiters: Waiters, removed: PoolEvent["removed"]): void {
  if (waiters.size === 0) return;
  for (const { hash, status } of removed) {
    if (status === "mined") continue;
    for (const answer of [...(waiters.get(hash) ?? [])]) answer(undefined);
  }
}

export function releaseWaiters(waiters: Waiters): void {
  for (const waiting of [...waiters.values()]) for (const answer of [...waiting]) answer(undefined);
}

function toMinedTransaction({ block, receipts }: HeadEvent, index: number): MinedTransaction {
  const { number, hash, timestamp, baseFeePerGas } = block.header;
  return {
    transaction: block.transactions[index]!,
    receipt: receipts[index]!,
    blockNumber: number,
    blockHash: hash,
    blockTimestamp: timestamp,
    index,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
  };
}
