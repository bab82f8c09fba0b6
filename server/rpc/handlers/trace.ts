/** Traces. The executor returns them in wire format, so they are returned unchanged. */
import type { BlockRef } from "@/lib/rpc/codec";
import type { TracerInput } from "@/lib/rpc/inputs";
import type { RpcResult } from "@/lib/rpc/methods";
import { traceBlockAt, traceCallAt, traceTransactionByHash } from "@/server/chain/calls";
import { toQuery } from "@/server/rpc/callQuery";
import { toServerError } from "@/server/rpc/errors";
import { handlers, type Ports } from "@/server/rpc/ports";

type WireTrace = RpcResult<"debug_traceCall">;

export const traceHandlers = handlers(["calls"], {
  debug_traceTransaction: async ({ calls }, hash, tracer) => {
    const traced = await traceTransactionByHash(calls, hash, tracer);
    if (!traced) throw toServerError("transaction not found");
    return traced.trace as WireTrace;
  },

  debug_traceBlockByNumber: traceBlock,
  debug_traceBlockByHash: traceBlock,

  debug_traceCall: async ({ calls }, call, ref, options) => {
    const result = await traceCallAt(calls, { ...toQuery(call, ref, options), tracer: options.tracer });
    return result.trace as WireTrace;
  },
});

async function traceBlock({ calls }: Pick<Ports, "calls">, ref: BlockRef, tracer: TracerInput) {
  if ((await calls.resolve(ref)) === 0) throw toServerError("genesis is not traceable");
  const traces = await traceBlockAt(calls, ref, tracer);
  return traces.map(({ hash, trace }) => ({ txHash: hash, result: trace as WireTrace }));
}
