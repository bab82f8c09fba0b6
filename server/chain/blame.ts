/**
 * Finds the transaction that makes builds fail. Smaller and smaller batches isolate it, and it is dropped only after a
 * block without it succeeds: if that fails too, the machine is at fault and every transaction stays.
 */

import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import { findErrorCode } from "@/server/ethereum/errors";
import type { Transaction } from "@/server/ethereum/types";
import type { BlockStore } from "@/server/ports/store";

/** A build that failed. */
export type FailedBuild = {
  error: unknown;
  transactions: Transaction[];
  step: "execute" | "commit";
};

export type Blame = {
  /** The maximum number of transactions in the next build. */
  batch(): number;
  /** A build succeeded. */
  clear(): void;
  /** Returns whether the faulty transaction is gone, so that the next build may follow at once. */
  resolve(failed: FailedBuild): Promise<boolean>;
  /** The number of consecutive failed builds. */
  failures(): number;
};

/** Committing more transactions would block the event loop for over 250 ms (about 4,000/s on SQLite). */
const maxBlockTransactions = 1_000;
/** Consecutive failures before smaller batches are tried, and before a single transaction is blamed. */
const attemptsPerBatch = 2;
const attemptsPerTransaction = 3;

export function createBlame(options: {
  store: Pick<BlockStore, "listMined">;
  pool: ManagedTxPool;
  /** Runs the step with an empty block. Rejects with the cause of failure. */
  tryEmpty: (step: FailedBuild["step"]) => Promise<void>;
  onError: (error: unknown) => void;
}): Blame {
  const { store, pool, tryEmpty, onError } = options;
  let batch = maxBlockTransactions;
  let failures = 0;

  async function drop(rejected: { hash: Transaction["hash"]; reason: string }[]): Promise<void> {
    pool.drop(rejected);
    await pool.flush().catch(onError);
    failures = 0;
  }

  /** Drops transactions that are already mined: no block can include them again. */
  async function dropMined(transactions: Transaction[]): Promise<boolean> {
    try {
      const mined = await store.listMined(transactions.map(({ hash }) => hash));
      if (mined.length === 0) return false;
      await drop(mined.map(({ hash }) => ({ hash, reason: "already known: the chain holds this transaction" })));
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  }

  return {
    batch: () => batch,
    failures: () => failures,
    clear() {
      failures = 0;
      batch = Math.min(maxBlockTransactions, batch * 2);
    },

    async resolve({ error, transactions, step }) {
      failures++;
      // An unreachable database is not the fault of a transaction.
      if (transactions.length === 0 || findErrorCode(error) === "STORE_UNAVAILABLE") return false;
      if (step === "commit" && (await dropMined(transactions))) return true;
      if (transactions.length > 1) {
        if (failures >= attemptsPerBatch) batch = Math.ceil(transactions.length / 2);
        return false;
      }
      if (failures < attemptsPerTransaction) return false;
      try {
        await tryEmpty(step);
      } catch {
        return false;
      }
      const message = error instanceof Error ? error.message : String(error);
      const what = step === "execute" ? "executed" : "committed";
      await drop(transactions.map(({ hash }) => ({ hash, reason: `it could not be ${what}: ${message}` })));
      return true;
    },
  };
}
