/** trace_ methods. The executor returns traces as JSON in wire format. Only trace_get and trace_filter parse them. */
import type { RpcResult } from "@/lib/rpc/methods";
import { traceBlockAt, traceCallAt, traceCallsAt, traceRaw, traceTransactionByHash } from "@/server/chain/traces";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import { toQuery, toRequest } from "@/server/rpc/callQuery";
import { toServerError } from "@/server/rpc/errors";
import { filterTraces } from "@/server/rpc/filterTraces";
import { toJsonText } from "@/server/rpc/jsonText";
import { findNumber } from "@/server/rpc/lookup";
import { handlers } from "@/server/rpc/ports";

const localized: TracerConfig = { tracer: "parity", isLocalized: true };
const toReplay = (kinds: Extract<TracerConfig, { tracer: "replay" }>["kinds"]) =>
  ({ tracer: "replay", kinds }) as const satisfies TracerConfig;

type Calls = NonNullable<RpcResult<"trace_transaction">>;
type Replay = RpcResult<"trace_call">;

export const parityTraceHandlers = handlers(["calls"], {
  trace_block: async ({ calls }, ref) => {
    const number = await findNumber(calls, ref);
    if (number === undefined) return null;
    const traces = await traceBlockAt(calls, { number }, localized);
    return toJsonText<Calls>(`[${traces.map(({ trace }) => trace.json.slice(1, -1)).join(",")}]`);
  },

  trace_transaction: async ({ calls }, hash) => {
    const traced = await traceTransactionByHash(calls, hash, localized);
    return traced ? toJsonText<Calls>(traced.trace.json) : null;
  },

  trace_get: async ({ calls }, hash, path) => {
    const traced = await traceTransactionByHash(calls, hash, localized);
    if (!traced) return null;
    const wanted = path.join();
    return (JSON.parse(traced.trace.json) as Calls).find(({ traceAddress }) => traceAddress.join() === wanted) ?? null;
  },

  trace_filter: ({ calls, limits }, filter) => filterTraces(calls, limits, filter),

  trace_call: async ({ calls }, call, kinds, ref) => {
    const { trace } = await traceCallAt(calls, { ...toQuery(call, ref), tracer: toReplay(kinds) });
    return toJsonText<Replay>(trace.json);
  },

  trace_callMany: async ({ calls }, requests, ref) => {
    const wanted = requests.map(([call, kinds]) => ({ call: toRequest(call), tracer: toReplay(kinds) }));
    const traces = await traceCallsAt(calls, ref, wanted);
    return toJsonText<Replay[]>(`[${traces.map(({ json }) => json).join(",")}]`);
  },

  trace_rawTransaction: async ({ calls }, raw, kinds) =>
    toJsonText<Replay>((await traceRaw(calls, toBytes(raw), toReplay(kinds))).json),

  trace_replayTransaction: async ({ calls }, hash, kinds) => {
    const traced = await traceTransactionByHash(calls, hash, toReplay(kinds));
    if (!traced) throw toServerError("transaction not found");
    return toJsonText<Replay>(traced.trace.json);
  },

  trace_replayBlockTransactions: async ({ calls }, ref, kinds) => {
    const traces = await traceBlockAt(calls, ref, toReplay(kinds));
    const texts = traces.map(({ hash, trace }) => `${trace.json.slice(0, -1)},"transactionHash":"${hash}"}`);
    return toJsonText<RpcResult<"trace_replayBlockTransactions">>(`[${texts.join(",")}]`);
  },
});
