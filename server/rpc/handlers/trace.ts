/** Traces. The executor returns them in wire format, so they are passed through unchanged. */
import type { BlockRef } from "@/lib/rpc/codec";
import type { TracerInput } from "@/lib/rpc/inputs";
import type { RpcResult } from "@/lib/rpc/methods";
import { traceBlockAt, traceCallAt, traceTransactionByHash } from "@/server/chain/calls";
import { toQuery } from "@/server/rpc/callQuery";
import { toServerError } from "@/server/rpc/errors";
import { handler, type Ports } from "@/server/rpc/ports";

type WireTrace = RpcResult<"debug_traceCall">;

export const debug_traceTransaction = handler("debug_traceTransaction", ["calls"], async ({ calls }, hash, tracer) => {
  const traced = await traceTransactionByHash(calls, hash, tracer);
  if (!traced) throw toServerError("transaction not found");
  return traced.trace as WireTrace;
});

async function traceBlock({ calls }: Pick<Ports, "calls">, ref: BlockRef, tracer: TracerInput) {
  if ((await calls.resolve(ref)) === 0) throw toServerError("genesis is not traceable");
  const traces = await traceBlockAt(calls, ref, tracer);
  return traces.map(({ hash, trace }) => ({ txHash: hash, result: trace as WireTrace }));
}
export const debug_traceBlockByNumber = handler("debug_traceBlockByNumber", ["calls"], traceBlock);
export const debug_traceBlockByHash = handler("debug_traceBlockByHash", ["calls"], traceBlock);

export const debug_traceCall = handler("debug_traceCall", ["calls"], async ({ calls }, call, ref, options) => {
  const result = await traceCallAt(calls, { ...toQuery(call, ref, options), tracer: options.tracer });
  return result.trace as WireTrace;
});
