/** explorer_ methods about the node itself: metrics about the latest blocks, the node's load, and its entire pool. */
import { z } from "zod";
import { hexAddress, hexHash, hexQuantity } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";

const seriesBlocks = 1000;

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();

const mostSamples = 360;

const poolRow = z.strictObject({
  hash: hexHash,
  from: hexAddress,
  nonce: hexQuantity,
  status: z.enum(["pending", "queued", "replaced", "dropped", "expired"]),
  reason: z.string().nullable(),
  /** In milliseconds since the epoch. */
  seenAt: hexQuantity,
  changedAt: hexQuantity,
});

export const explorerNodeMethods = defineMethods("reads", {
  explorer_getSeries: {
    summary: "Returns the base fee, gas, transactions and settled payments of the latest blocks, oldest first.",
    paramNames: ["blocks"],
    params: z.tuple([
      z
        .int()
        .min(1, `blocks must be between 1 and ${seriesBlocks}`)
        .max(seriesBlocks, `blocks must be between 1 and ${seriesBlocks}`)
        .nullish()
        .transform((given) => given ?? 100),
    ]),
    result: z.strictObject({
      blocks: z.array(
        z.strictObject({
          number: hexQuantity,
          timestamp: hexQuantity,
          baseFeePerGas: hexQuantity.nullable(),
          gasUsed: hexQuantity,
          gasLimit: hexQuantity,
          transactions: hexQuantity,
          /** The payments settled in the block, including payments that were refunded later. */
          payments: hexQuantity,
        }),
      ),
      /** True if there were too many payments to count, so the counts of the oldest blocks are too low. */
      paymentsCut: z.boolean(),
    }),
    isExported: true,
    examples: [{ summary: "Latest 100 blocks", params: [100] }],
  },

  explorer_getNodeStatus: {
    summary:
      "Returns the node's status: its head, store, pool and workers, and the requests per method since it started.",
    result: z.strictObject({
      version: z.string(),
      uptimeMs: milliseconds,
      head: z.strictObject({ number: hexQuantity, timestamp: hexQuantity, ageMs: milliseconds }),
      store: z.strictObject({ bytes: count, readModelBehind: count }),
      pool: z.strictObject({ pending: count, queued: count }),
      executor: z.strictObject({
        activeRequests: count,
        queuedRequests: count,
        inactiveExecutors: count,
        totalRequests: count,
        totalErrors: count,
        queueRejections: count,
        averageRequestAgeMs: milliseconds,
        oldestRequestAgeMs: milliseconds,
      }),
      methods: z.array(
        z.strictObject({
          method: z.string(),
          requests: count,
          errors: count,
          meanMs: milliseconds,
          /** The upper bounds of the histogram buckets that contain the median and the 99th percentile. */
          medianMs: milliseconds,
          p99Ms: milliseconds,
          maxMs: milliseconds,
        }),
      ),
    }),
    isExported: true,
    examples: [{ summary: "Now", params: [] }],
  },

  explorer_getHealth: {
    summary: "Returns this network's current problems, each with a description and a fix; empty if there are none.",
    result: z.strictObject({
      problems: z.array(
        z.strictObject({
          code: z.enum([
            "store_unreachable",
            "store_full",
            "disk_low",
            "commits_failing",
            "index_behind",
            "remote_node_silent",
            "relayer_out_of_gas",
          ]),
          /** `down` means that this instance can't serve the network. */
          severity: z.enum(["down", "degraded"]),
          message: z.string(),
          fix: z.string(),
        }),
      ),
    }),
    isExported: true,
    examples: [{ summary: "Now", params: [] }],
  },

  explorer_getNodeHistory: {
    summary:
      "Returns load samples from the last hour or less, oldest first. They are kept in memory, so a restart clears them.",
    paramNames: ["samples"],
    params: z.tuple([
      z
        .int()
        .min(1, `samples must be between 1 and ${mostSamples}`)
        .max(mostSamples, `samples must be between 1 and ${mostSamples}`)
        .nullish()
        .transform((given) => given ?? mostSamples),
    ]),
    result: z.strictObject({
      intervalMs: milliseconds,
      samples: z.array(
        z.strictObject({
          /** In milliseconds since the epoch. */
          at: hexQuantity,
          headAgeMs: milliseconds,
          storeBytes: count,
          pending: count,
          queued: count,
          /**
           * The number of calls that were running, and the number that were waiting for a worker, when the sample was
           * taken.
           */
          activeCalls: count,
          waitingCalls: count,
          /** These are counted since the previous sample. Calls are those that the EVM ran. */
          calls: count,
          requests: count,
          errors: count,
          meanMs: milliseconds,
          methods: z.array(
            z.strictObject({ method: z.string(), requests: count, errors: count, meanMs: milliseconds }),
          ),
        }),
      ),
    }),
    isExported: true,
    examples: [{ summary: "Last 10 minutes", params: [60] }],
  },

  explorer_getPool: {
    summary:
      "Returns the pool grouped by sender and nonce, with nonce gaps, and the recently dropped or replaced transactions.",
    paramNames: ["page"],
    params: z.tuple([
      z
        .object({
          limit: z.int().min(1, "must be between 1 and 1000").max(1000, "must be between 1 and 1000").nullish(),
        })
        .nullish()
        .transform((given) => ({ limit: given?.limit ?? 200 })),
    ]),
    result: z.strictObject({
      senders: z.array(
        z.strictObject({
          address: hexAddress,
          /** The sender's next nonce on the chain. */
          nextNonce: hexQuantity,
          transactions: z.array(poolRow),
        }),
      ),
      left: z.array(poolRow),
      pending: hexQuantity,
      queued: hexQuantity,
    }),
    isExported: true,
    examples: [{ summary: "Now", params: [] }],
  },
});
