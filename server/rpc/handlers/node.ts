/**
 * explorer_ methods about the node itself: its load since it started and over the last hour, and its whole pool.
 */

import { toQuantity } from "@/lib/units";
import packageJson from "@/package.json" with { type: "json" };
import type { PoolRecord } from "@/server/ports/store";
import type { Handler } from "@/server/rpc/context";
import { historyIntervalMs } from "@/server/rpc/nodeHistory";

export const explorer_getNodeStatus: Handler<"explorer_getNodeStatus"> = async ({ chain, statistics }) => {
  const { number, timestamp } = chain.head();
  return {
    version: packageJson.version,
    uptimeMs: statistics.uptimeMs(),
    head: {
      number: toQuantity(number),
      timestamp: toQuantity(timestamp),
      ageMs: Math.max(Date.now() - timestamp * 1000, 0),
    },
    store: {
      bytes: await chain.store.findSize(),
      readModelBehind: number + 1 - (await chain.store.findReadModelEnd()),
    },
    pool: chain.pool.counts(),
    executor: chain.executor.statistics(),
    methods: statistics.list(),
  };
};

export const explorer_getNodeHistory: Handler<"explorer_getNodeHistory"> = async ({ history }, samples) => {
  // Where nothing runs outside of requests, the timer does not either: a reading that is due is taken now.
  const last = history.list().at(-1);
  if (!last || Date.now() - last.atMs >= historyIntervalMs) await history.take();
  return {
    intervalMs: historyIntervalMs,
    samples: history
      .list()
      .slice(-samples)
      .map(({ atMs, methods, ...figures }) => ({
        at: toQuantity(atMs),
        ...figures,
        methods,
      })),
  };
};

type LeftStatus = "replaced" | "dropped" | "expired";
type WaitingStatus = "pending" | "queued";

function encodeRecord<Status extends LeftStatus | WaitingStatus>(record: PoolRecord & { status: Status }) {
  return {
    hash: record.hash,
    from: record.sender,
    nonce: toQuantity(record.nonce),
    status: record.status,
    reason: record.reason ?? null,
    seenAt: toQuantity(record.seenAtMs),
    changedAt: toQuantity(record.changedAtMs),
  };
}

const isWaiting = (record: PoolRecord): record is PoolRecord & { status: WaitingStatus } =>
  record.status === "pending" || record.status === "queued";
const isLeft = (record: PoolRecord): record is PoolRecord & { status: LeftStatus } =>
  record.status === "replaced" || record.status === "dropped" || record.status === "expired";

export const explorer_getPool: Handler<"explorer_getPool"> = async ({ chain }, { limit }) => {
  const waiting = chain.pool.list().slice(0, limit);
  const bySender = new Map<`0x${string}`, (PoolRecord & { status: WaitingStatus })[]>();
  for (const { record } of waiting) {
    if (!isWaiting(record)) continue;
    const known = bySender.get(record.sender);
    if (known) known.push(record);
    else bySender.set(record.sender, [record]);
  }
  const head = chain.head().number;
  const senders = await Promise.all(
    [...bySender].map(async ([address, records]) => ({
      address,
      nextNonce: toQuantity((await chain.store.findAccount(address, head))?.nonce ?? 0n),
      transactions: records.sort((a, b) => (a.nonce < b.nonce ? -1 : 1)).map(encodeRecord),
    })),
  );
  const { pending, queued } = chain.pool.counts();
  return {
    senders,
    left: chain.pool.listLeft(limit).filter(isLeft).map(encodeRecord),
    pending: toQuantity(pending),
    queued: toQuantity(queued),
  };
};
