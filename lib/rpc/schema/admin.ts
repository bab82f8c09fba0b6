/** admin_ methods: metrics of the running node. They change nothing. */
import { z } from "zod";
import { defineMethods } from "@/lib/rpc/schema/define";

const count = z.string().regex(/^[0-9]+$/);

export const adminMethods = defineMethods("reads", {
  admin_ethCallStatistics: {
    summary:
      "Load of the workers that run calls; ages in milliseconds, all as decimal strings. Calls too small for a worker count in the totals.",
    result: z.strictObject({
      inactiveExecutors: count,
      queuedRequests: count,
      oldestRequestAgeMs: count,
      averageRequestAgeMs: count,
      totalRequests: count,
      totalErrors: count,
      queueRejections: count,
    }),
    examples: [{ summary: "Now", params: [] }],
  },
});
