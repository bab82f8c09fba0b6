/** Traces. The executor returns them in wire format, so they are passed through unchanged. */
import type { BlockRef } from "@/lib/rpc/codec";
import type { TracerInput } from "@/lib/rpc/inputs";
import type { RpcResult } from "@/lib/rpc/methods";
import { traceBlockAt, traceCallAt, traceTransactionByHash } from "@/server/chain/calls";
import { toQuery } from "@/server/rpc/callQuery";
import type { Handler, RpcContext } from "@/server/rpc/context";
import { toServerError } from "@/server/rpc/errors";

type WireTrace = RpcResult<"debug_traceCall">;

export const debug_traceTransaction: Handler<"debug_traceTransaction"> = async ({ chain }, hash, tracer) => {
  const traced = await traceTransactionByHash(chain, hash, tracer);
  if (!traced) throw toServerError("transaction not found");
  return traced.trace as WireTrace;
};

async function traceBlock({ chain }: RpcContext, ref: BlockRef, tracer: TracerInput) {
  if ((await chain.resolve(ref)) === 0) throw toServerError("genesis is not traceable");
  const traces = await traceBlockAt(chain, ref, tracer);
  return traces.map(({ hash, trace }) => ({ txHash: hash, result: trace as WireTrace }));
}
export const debug_traceBlockByNumber: Handler<"debug_traceBlockByNumber"> = traceBlock;
export const debug_traceBlockByHash: Handler<"debug_traceBlockByHash"> = traceBlock;

export const debug_traceCall: Handler<"debug_traceCall"> = async ({ chain }, call, ref, options) => {
  const result = await traceCallAt(chain, { ...toQuery(call, ref, options), tracer: options.tracer });
  return result.trace as WireTrace;
};
