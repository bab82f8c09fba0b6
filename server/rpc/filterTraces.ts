/**
 * trace_filter: traces the blocks in a range one after another and keeps the calls that match. The time limit and the
 * response size limit of a single call apply to the whole range.
 */
import type { DecodedParams, RpcResult } from "@/lib/rpc/methods";
import { traceBlockAt } from "@/server/chain/traces";
import type { Limits } from "@/server/config/config";
import { JobTimeoutError } from "@/server/ethereum/errors";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import type { CallSource } from "@/server/ports/chain";
import { toInvalidParams, toLimitExceeded } from "@/server/rpc/errors";

type Filter = DecodedParams<"trace_filter">[0];
type Calls = RpcResult<"trace_filter">;

export async function filterTraces(
  calls: CallSource,
  limits: Pick<Limits, "traceBlocks" | "callTimeMs" | "responseBytes">,
  filter: Filter,
): Promise<Calls> {
  const { first, last } = await toRange(calls, limits, filter);
  const { fromAddress, toAddress, mode, after, count } = filter;
  const tracer: TracerConfig = {
    tracer: "parity",
    isLocalized: true,
    filter: { from: fromAddress ?? [], to: toAddress ?? [], mode: mode ?? "union" },
  };
  const found: Calls = [];
  const end = count == null ? Number.POSITIVE_INFINITY : (after ?? 0) + count;
  const deadlineMs = performance.now() + limits.callTimeMs;
  let bytes = 0;
  for (let number = first; number <= last && found.length < end; number++) {
    const timeoutMs = Math.ceil(deadlineMs - performance.now());
    if (timeoutMs <= 0) throw new JobTimeoutError(limits.callTimeMs);
    for (const { trace } of await traceBlockAt(calls, { number }, tracer, { timeoutMs })) {
      bytes += trace.json.length;
      if (bytes > limits.responseBytes) {
        const why = `the calls in these blocks exceed ${limits.responseBytes} bytes: narrow the block range`;
        throw toLimitExceeded("responseBytes", why);
      }
      for (const call of JSON.parse(trace.json) as Calls) found.push(call);
    }
  }
  return found.slice(after ?? 0, end);
}

async function toRange(calls: CallSource, limits: Pick<Limits, "traceBlocks">, { fromBlock, toBlock }: Filter) {
  const first = await calls.resolve(fromBlock ?? { tag: "earliest" });
  const last = await calls.resolve(toBlock ?? { tag: "latest" });
  if (first > last) throw toInvalidParams("invalid block range params: fromBlock is after toBlock");
  const span = last - first + 1;
  if (span > limits.traceBlocks) {
    const why = `a range of ${span} blocks exceeds the limit of ${limits.traceBlocks}: narrow the block range`;
    throw toLimitExceeded("traceBlocks", why);
  }
  return { first, last };
}
