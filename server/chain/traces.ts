/**
 * Traces mined transactions by running their block again, and traces calls. Returns the executor's traces as JSON in
 * wire format.
 */

import { toBlockEnv } from "@/server/chain/blockEnv";
import { type CallQuery, prepareCall } from "@/server/chain/calls";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { UnknownBlockError } from "@/server/ethereum/errors";
import type { BlockRef, Hash } from "@/server/ethereum/types";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import type { CallSource } from "@/server/ports/chain";
import type { CallResult, TraceText } from "@/server/ports/executor";

/** Runs a call under a tracer; the result includes the trace. Throws the same errors as `callAt`. */
export async function traceCallAt(
  chain: CallSource,
  query: CallQuery & { tracer: TracerConfig },
): Promise<CallResult & { trace: TraceText }> {
  const { tracer } = query;
  const job = { kind: "call" as const, ...(await prepareCall(chain, query)), tracer, traceBytes: chain.traceBytes };
  const { result } = await chain.executor.run(job, { client: chain.client });
  return { ...result, trace: result.trace as TraceText };
}

/**
 * Traces calls in order. Each call sees the changes made by the calls before it. Throws the same errors as `callAt`.
 */
export async function traceCallsAt(
  chain: CallSource,
  block: BlockRef,
  calls: readonly { call: CallQuery["call"]; tracer: TracerConfig }[],
): Promise<TraceText[]> {
  const isPending = "tag" in block && block.tag === "pending";
  const at = isPending ? block : { number: await chain.resolve(block) };
  const jobs = await Promise.all(calls.map(({ call }) => prepareCall(chain, { call, block: at })));
  const [first] = jobs;
  if (!first) return [];
  const { call: _, ...state } = first;
  const { traces } = await chain.executor.run(
    {
      kind: "traceCalls",
      ...state,
      calls: jobs.map(({ call }, index) => ({ call, tracer: calls[index]!.tracer })),
      traceBytes: chain.traceBytes,
    },
    { client: chain.client },
  );
  return traces as TraceText[];
}

/** Traces a signed transaction as if it were the only one in the next block. Throws InvalidTransactionError. */
export async function traceRaw(chain: CallSource, raw: Uint8Array, tracer: TracerConfig): Promise<TraceText> {
  const { hash, from } = decodeTransaction(raw);
  const { traces } = await chain.executor.run(
    {
      kind: "traceBlock",
      spec: chain.spec,
      env: chain.nextEnv(),
      parent: chain.head().number,
      transactions: [{ raw, hash, from }],
      tracer,
      traceBytes: chain.traceBytes,
    },
    { client: chain.client },
  );
  return traces[0]?.trace as TraceText;
}

/**
 * Traces a mined transaction by re-executing its block up to that transaction. Returns undefined if the transaction
 * isn't mined.
 */
export async function traceTransactionByHash(
  chain: CallSource,
  hash: Hash,
  tracer: TracerConfig,
): Promise<{ trace: TraceText } | undefined> {
  const mined = await chain.store.findTransaction(hash);
  if (!mined) return undefined;
  const [traced] = await traceBlock(chain, mined.blockNumber, tracer, { only: mined.index });
  return traced && { trace: traced.trace };
}

/**
 * Traces all transactions in a block, in order. `timeoutMs` replaces the node's time limit. Throws UnknownBlockError.
 */
export async function traceBlockAt(
  chain: CallSource,
  block: BlockRef,
  tracer: TracerConfig,
  options: { timeoutMs?: number } = {},
): Promise<{ hash: Hash; trace: TraceText }[]> {
  return traceBlock(chain, await chain.resolve(block), tracer, options);
}

async function traceBlock(
  chain: CallSource,
  number: number,
  tracer: TracerConfig,
  { only, timeoutMs }: { only?: number; timeoutMs?: number },
) {
  const chainVersion = chain.chainVersion();
  const block = await chain.store.findBlock(number);
  if (!block) throw new UnknownBlockError(String(number));
  const wanted = only === undefined ? block.transactions : block.transactions.slice(0, only + 1);
  if (wanted.length === 0) return [];
  const { traces } = await chain.executor.run(
    {
      kind: "traceBlock",
      spec: chain.spec,
      env: toBlockEnv(block.header),
      hash: block.header.hash,
      parent: number - 1,
      at: { chainVersion, hash: block.header.parentHash },
      transactions: wanted.map(({ raw, hash, from }) => ({ raw, hash, from })),
      ...(only === undefined ? {} : { trace: [only] }),
      tracer,
      traceBytes: chain.traceBytes,
    },
    { client: chain.client, ...(timeoutMs !== undefined && { timeoutMs }) },
  );
  return traces.map(({ hash, trace }) => ({ hash, trace: trace as TraceText }));
}
