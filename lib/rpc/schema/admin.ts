/** admin_ methods: metrics of the running node. All are read-only. */
import { z } from "zod";
import { defineMethods } from "@/lib/rpc/schema/define";

const count = z.string().regex(/^[0-9]+$/);

export const adminMethods = defineMethods("reads", {
  admin_ethCallStatistics: {
    summary:
      "Returns metrics for the workers that execute calls, as decimal strings; request ages are in milliseconds. Totals include short calls that didn't need a worker.",
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
