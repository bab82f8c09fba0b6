/** Lookups of single transactions, and of the status of submitted transactions. */

import { toQuantity } from "@/lib/units";
import type { PoolStatus } from "@/server/chain/txpool/pool";
import { encodeMinedReceipt, encodeMinedTransaction, encodeTransaction } from "@/server/rpc/encode";
import { handlers } from "@/server/rpc/ports";

export const transactionHandlers = {
  ...handlers(["blocks", "pool"], {
    /** Checks the store again after the pool, in case the transaction was mined between the first two lookups. */
    eth_getTransactionByHash: async ({ blocks, pool }, hash) => {
      const mined = await blocks.findTransaction(hash);
      if (mined) return encodeMinedTransaction(mined);
      const waiting = pool.findTransaction(hash);
      if (waiting) return encodeTransaction(waiting, undefined);
      const since = await blocks.findTransaction(hash);
      return since ? encodeMinedTransaction(since) : null;
    },

    /** If the pool has already forgotten a mined transaction, finds it in the store. */
    txpool_statusByHash: async ({ blocks, pool }, hash) => {
      const status = pool.findStatus(hash);
      if (status) return encodeStatus(status);
      return { status: (await blocks.findTransaction(hash)) ? "mined" : "unknown" };
    },
  }),

  ...handlers(["blocks"], {
    eth_getTransactionReceipt: async ({ blocks }, hash) => {
      const mined = await blocks.findTransaction(hash);
      return mined ? encodeMinedReceipt(mined) : null;
    },
  }),

  ...handlers(["pool"], {
    txpool_statusByAddress: ({ pool }, sender) =>
      Object.fromEntries(
        pool
          .listStatuses(sender)
          .filter(({ status }) => status === "pending" || status === "queued")
          .map((status) => [toQuantity(status.nonce), { ...encodeStatus(status), hash: status.hash }]),
      ),
  }),
};

function encodeStatus(status: PoolStatus) {
  const reason =
    status.reason ??
    (status.missingNonce === undefined ? undefined : `waiting for a transaction with nonce ${status.missingNonce}`);
  return reason === undefined ? { status: status.status } : { status: status.status, reason };
}
