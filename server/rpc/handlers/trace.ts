/** Traces. The executor returns them as JSON in wire format, so they are returned unchanged. */
import type { BlockRef } from "@/lib/rpc/codec";
import type { DecodedParams, RpcResult } from "@/lib/rpc/methods";
import { toTracer } from "@/lib/rpc/tracerInputs";
import { traceBlockAt, traceCallAt, traceTransactionByHash } from "@/server/chain/traces";
import { toQuery } from "@/server/rpc/callQuery";
import { toServerError } from "@/server/rpc/errors";
import { toJsonText } from "@/server/rpc/jsonText";
import { handlers, type Ports, type ServedNetwork } from "@/server/rpc/ports";

type WireTrace = RpcResult<"debug_traceCall">;

export const traceHandlers = handlers(["calls"], {
  debug_traceTransaction: async ({ calls, network }, hash, tracer) => {
    const traced = await traceTransactionByHash(calls, hash, toTracer(tracer, network.profile));
    if (!traced) throw toServerError("transaction not found");
    return toJsonText<WireTrace>(traced.trace.json);
  },

  debug_traceBlockByNumber: traceBlock,
  debug_traceBlockByHash: traceBlock,

  debug_traceCall: async ({ calls, network }, call, ref, options) => {
    const query = toQuery(call, ref, options ?? {});
    const result = await traceCallAt(calls, { ...query, tracer: toTracer(options, network.profile) });
    return toJsonText<WireTrace>(result.trace.json);
  },
});

async function traceBlock(
  { calls, network }: Pick<Ports, "calls"> & Pick<ServedNetwork, "network">,
  ref: BlockRef,
  tracer: DecodedParams<"debug_traceBlockByHash">[1],
) {
  const traces = await traceBlockAt(calls, ref, toTracer(tracer, network.profile));
  const texts = traces.map(({ hash, trace }) => `{"txHash":"${hash}","result":${trace.json}}`);
  return toJsonText<RpcResult<"debug_traceBlockByHash">>(`[${texts.join(",")}]`);
}
