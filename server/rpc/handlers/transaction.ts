/** Lookups of single transactions and of the status of submitted ones. */

import { toQuantity } from "@/lib/units";
import type { PoolStatus } from "@/server/chain/txpool/pool";
import { encodeMinedReceipt, encodeMinedTransaction, encodeTransaction } from "@/server/rpc/encode";
import { handler } from "@/server/rpc/ports";

/** Looks in the store again after the pool, in case the transaction was mined between the two lookups. */
export const eth_getTransactionByHash = handler(
  "eth_getTransactionByHash",
  ["blocks", "pool"],
  async ({ blocks, pool }, hash) => {
    const mined = await blocks.findTransaction(hash);
    if (mined) return encodeMinedTransaction(mined);
    const waiting = pool.findTransaction(hash);
    if (waiting) return encodeTransaction(waiting, undefined);
    const since = await blocks.findTransaction(hash);
    return since ? encodeMinedTransaction(since) : null;
  },
);

export const eth_getTransactionReceipt = handler("eth_getTransactionReceipt", ["blocks"], async ({ blocks }, hash) => {
  const mined = await blocks.findTransaction(hash);
  return mined ? encodeMinedReceipt(mined) : null;
});

function encodeStatus(status: PoolStatus) {
  const reason =
    status.reason ??
    (status.missingNonce === undefined ? undefined : `waits for the transaction of nonce ${status.missingNonce}`);
  return reason === undefined ? { status: status.status } : { status: status.status, reason };
}

/** The store still has mined transactions that the pool has forgotten. */
export const txpool_statusByHash = handler(
  "txpool_statusByHash",
  ["blocks", "pool"],
  async ({ blocks, pool }, hash) => {
    const status = pool.findStatus(hash);
    if (status) return encodeStatus(status);
    return { status: (await blocks.findTransaction(hash)) ? "mined" : "unknown" };
  },
);

/** If a nonce was replaced, only the transaction that currently holds it counts. */
export const txpool_statusByAddress = handler("txpool_statusByAddress", ["pool"], ({ pool }, sender) => {
  const byNonce: Record<string, ReturnType<typeof encodeStatus> & { hash: PoolStatus["hash"] }> = {};
  const newestLast = pool.listStatuses(sender).toSorted((a, b) => toRank(a) - toRank(b));
  for (const status of newestLast) {
    byNonce[toQuantity(status.nonce)] = { ...encodeStatus(status), hash: status.hash };
  }
  return byNonce;
});

/** Pending and mined outrank dropped; among equals the later change wins. */
function toRank(status: PoolStatus): number {
  const isLive = status.status === "pending" || status.status === "queued" || status.status === "mined";
  return (isLive ? 1e15 : 0) + status.changedAtMs;
}
