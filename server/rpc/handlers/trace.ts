/**
 * debug_ methods for traces. The executor returns traces as JSON in wire format, so these methods pass them on
 * unchanged.
 */
import type { BlockRef } from "@/lib/rpc/codec";
import type { DecodedParams, RpcResult } from "@/lib/rpc/methods";
import { type TracerInput, toTracer } from "@/lib/rpc/tracerInputs";
import { traceBlockAt, traceCallAt, traceTransactionByHash } from "@/server/chain/traces";
import { toQuery } from "@/server/rpc/callQuery";
import { toServerError } from "@/server/rpc/errors";
import { toJsonText } from "@/server/rpc/jsonText";
import { handlers, type Ports, type ServedNetwork } from "@/server/rpc/ports";

type WireTrace = RpcResult<"debug_traceCall">;

export const traceHandlers = handlers(["calls", "scripts"], {
  debug_traceTransaction: async ({ calls, ...context }, hash, options) => {
    const traced = await traceTransactionByHash(calls, hash, chooseTracer(context, options));
    if (!traced) throw toServerError("transaction not found");
    return toJsonText<WireTrace>(traced.trace.json);
  },

  debug_traceBlockByNumber: traceBlock,
  debug_traceBlockByHash: traceBlock,

  debug_traceCall: async ({ calls, ...context }, call, ref, options) => {
    const query = toQuery(call, ref, options ?? {});
    const result = await traceCallAt(calls, { ...query, tracer: chooseTracer(context, options) });
    return toJsonText<WireTrace>(result.trace.json);
  },
});

type Context = Pick<Ports, "scripts"> & Pick<ServedNetwork, "network">;
type Options = DecodedParams<"debug_traceBlockByHash">[1];

async function traceBlock({ calls, ...context }: Context & Pick<Ports, "calls">, ref: BlockRef, options: Options) {
  // On chains with Tollscan's own genesis, block 0 has an empty trace, because indexers start there. On an imported
  // chain, block 0 returns geth's error.
  if (!context.network.embedded && (await calls.resolve(ref)) === 0) throw toServerError("genesis is not traceable");
  const traces = await traceBlockAt(calls, ref, chooseTracer(context, options));
  const texts = traces.map(({ hash, trace }) => `{"txHash":"${hash}","result":${trace.json}}`);
  return toJsonText<RpcResult<"debug_traceBlockByHash">>(`[${texts.join(",")}]`);
}

function chooseTracer({ network, scripts }: Context, options: Options): TracerInput {
  const tracer = toTracer(options, network.profile, network.settings.hardhat);
  if (tracer.tracer !== "javascript" || scripts.areAllowed) return tracer;
  throw toServerError("JavaScript tracers are disabled on this node: they require TOLLSCAN_JS_TRACERS=on.");
}
