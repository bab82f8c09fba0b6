/**
 * Those who wait for a transaction to be mined. Each is answered by push, at the latest when its time is over.
 */
import type { HeadEvent } from "@/server/chain/head";
import type { Hash, MinedTransaction } from "@/server/ethereum/types";

export type Waiters = {
  /** Resolves with the mined transaction, or undefined after timeoutMs or when all are released. */
  wait(hash: Hash, timeoutMs: number): { mined: Promise<MinedTransaction | undefined>; cancel: () => void };
  announce(event: HeadEvent): void;
  releaseAll(): void;
};

export function createWaiters(): Waiters {
  const byHash = new Map<Hash, Set<(mined: MinedTransaction | undefined) => void>>();

  return {
    wait(hash, timeoutMs) {
      let finish: (mined: MinedTransaction | undefined) => void = () => undefined;
      const mined = new Promise<MinedTransaction | undefined>((resolve) => {
        const timer = setTimeout(() => finish(undefined), timeoutMs);
        finish = (value) => {
          clearTimeout(timer);
          const waiting = byHash.get(hash);
          waiting?.delete(finish);
          if (waiting?.size === 0) byHash.delete(hash);
          resolve(value);
        };
        const waiting = byHash.get(hash);
        if (waiting) waiting.add(finish);
        else byHash.set(hash, new Set([finish]));
      });
      return { mined, cancel: () => finish(undefined) };
    },

    announce({ block, receipts }) {
      if (byHash.size === 0) return;
      block.transactions.forEach((transaction, index) => {
        const waiting = byHash.get(transaction.hash);
        if (!waiting) return;
        const mined = toMinedTransaction({ block, receipts }, index);
        for (const finish of [...waiting]) finish(mined);
      });
    },

    releaseAll() {
      for (const waiting of [...byHash.values()]) for (const finish of [...waiting]) finish(undefined);
    },
  };
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
