/** explorer_ methods for the node itself: its load since it started and over the last hour, and its entire pool. */

import { toQuantity } from "@/lib/units";
import packageJson from "@/package.json" with { type: "json" };
import { readPool } from "@/server/explorer/poolView";
import { encodePoolRecord } from "@/server/rpc/encodeExplorer";
import { historyIntervalMs } from "@/server/rpc/nodeHistory";
import { handlers } from "@/server/rpc/ports";

export const nodeHandlers = {
  ...handlers(["load", "chain", "index", "pool"], {
    explorer_getNodeStatus: async ({ chain, index, load, pool }) => {
      const { number, timestamp } = chain.head();
      return {
        version: packageJson.version,
        uptimeMs: load.statistics.uptimeMs(),
        head: {
          number: toQuantity(number),
          timestamp: toQuantity(timestamp),
          ageMs: Math.max(Date.now() - timestamp * 1000, 0),
        },
        store: {
          bytes: await load.storeBytes(),
          readModelBehind: number + 1 - (await index.findReadModelEnd()),
        },
        pool: pool.counts(),
        executor: load.calls(),
        methods: load.statistics.list(),
      };
    },
  }),

  ...handlers(["problems"], {
    explorer_getHealth: async ({ problems }) => ({ problems: await problems.find() }),
  }),

  ...handlers(["load"], {
    explorer_getNodeHistory: async ({ load: { history } }, samples) => ({
      intervalMs: historyIntervalMs,
      samples: (await history.read(samples)).map(({ atMs, ...figures }) => ({ at: toQuantity(atMs), ...figures })),
    }),
  }),

  ...handlers(["pool", "chain", "state"], {
    explorer_getPool: async (context, { limit }) => {
      const { senders, left } = await readPool(context, limit);
      const { pending, queued } = context.pool.counts();
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
    },
  }),
};
