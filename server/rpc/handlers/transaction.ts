/** Lookups of single transactions and of the status of submitted ones. */

import { toQuantity } from "@/lib/units";
import type { PoolStatus } from "@/server/chain/txpool/pool";
import type { Handler } from "@/server/rpc/context";
import { encodeMinedReceipt, encodeMinedTransaction, encodeTransaction } from "@/server/rpc/encode";

/** Looks in the store again after the pool, in case the transaction was mined between the two lookups. */
export const eth_getTransactionByHash: Handler<"eth_getTransactionByHash"> = async ({ chain }, hash) => {
  const mined = await chain.store.findTransaction(hash);
  if (mined) return encodeMinedTransaction(mined);
  const waiting = chain.pool.findTransaction(hash);
  if (waiting) return encodeTransaction(waiting, undefined);
  const since = await chain.store.findTransaction(hash);
  return since ? encodeMinedTransaction(since) : null;
};

export const eth_getTransactionReceipt: Handler<"eth_getTransactionReceipt"> = async ({ chain }, hash) => {
  const mined = await chain.store.findTransaction(hash);
  return mined ? encodeMinedReceipt(mined) : null;
};

function encodeStatus(status: PoolStatus) {
  const reason =
    status.reason ??
    (status.missingNonce === undefined ? undefined : `waits for the transaction of nonce ${status.missingNonce}`);
  return reason === undefined ? { status: status.status } : { status: status.status, reason };
}

/** The store still has mined transactions that the pool has forgotten. */
export const txpool_statusByHash: Handler<"txpool_statusByHash"> = async ({ chain }, hash) => {
  const status = chain.pool.findStatus(hash);
  if (status) return encodeStatus(status);
  return { status: (await chain.store.findTransaction(hash)) ? "mined" : "unknown" };
};

/** If a nonce was replaced, only the transaction that currently holds it counts. */
export const txpool_statusByAddress: Handler<"txpool_statusByAddress"> = ({ chain }, sender) => {
  const byNonce: Record<string, ReturnType<typeof encodeStatus> & { hash: PoolStatus["hash"] }> = {};
  const newestLast = chain.pool.listStatuses(sender).toSorted((a, b) => toRank(a) - toRank(b));
  for (const status of newestLast) {
    byNonce[toQuantity(status.nonce)] = { ...encodeStatus(status), hash: status.hash };
  }
  return byNonce;
};

/** Pending and mined outrank dropped; among equals the later change wins. */
function toRank(status: PoolStatus): number {
  const isLive = status.status === "pending" || status.status === "queued" || status.status === "mined";
  return (isLive ? 1e15 : 0) + status.changedAtMs;
}
