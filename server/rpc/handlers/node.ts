/** explorer_ methods for the node itself: its load since it started and over the last hour, and its whole pool. */

import { toQuantity } from "@/lib/units";
import packageJson from "@/package.json" with { type: "json" };
import { readPool } from "@/server/explorer/poolView";
import type { Handler } from "@/server/rpc/context";
import { encodePoolRecord } from "@/server/rpc/encodeExplorer";
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

export const explorer_getNodeHistory: Handler<"explorer_getNodeHistory"> = async ({ history }, samples) => ({
  intervalMs: historyIntervalMs,
  samples: (await history.read(samples)).map(({ atMs, ...figures }) => ({ at: toQuantity(atMs), ...figures })),
});

export const explorer_getPool: Handler<"explorer_getPool"> = async ({ chain }, { limit }) => {
  const { senders, left } = await readPool(chain, limit);
  const { pending, queued } = chain.pool.counts();
  return {
    senders: senders.map(({ address, nextNonce, records }) => ({
      address,
      nextNonce: toQuantity(nextNonce),
      transactions: records.map(encodePoolRecord),
    })),
    left: left.map(encodePoolRecord),
    pending: toQuantity(pending),
    queued: toQuantity(queued),
  };
};
