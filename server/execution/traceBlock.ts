/**
 * Traces mined transactions: runs the block again on its parent's state, with a tracer for the requested transactions.
 */
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { type Budget, unlimited } from "@/server/evm/budget";
import { createTraceBudget } from "@/server/evm/tracers/budget";
import type { TraceContext } from "@/server/evm/tracers/tracer";
import { withEngine } from "@/server/execution/engine";
import { createOverlay, type ExecutionStore } from "@/server/execution/state/overlay";
import { startBlock } from "@/server/execution/systemCalls";
import { traceMessage } from "@/server/execution/traceMessage";
import { applyMessage } from "@/server/execution/transition";
import type { TraceBlock, TraceBlockDone } from "@/server/ports/executor";

/** Throws InvalidTransactionError if a transaction isn't valid in the block. */
export function executeTraceBlock(
  job: TraceBlock,
  store: ExecutionStore,
  budget: Budget = unlimited,
): Promise<TraceBlockDone> {
  const overlay = createOverlay({ store, block: job.parent });
  return withEngine({ spec: job.spec, env: job.env, overlay, reads: store.reads, budget }, async (engine) => {
    await startBlock(engine);
    const wanted = new Set(job.trace ?? job.transactions.keys());
    const last = Math.max(-1, ...wanted);
    const traces: TraceBlockDone["traces"] = [];
    const bytes = createTraceBudget(job.traceBytes);
    let gasLeft = job.env.gasLimit;
    for (const [index, { raw, hash, from }] of job.transactions.entries()) {
      if (index > last) break;
      const transaction = decodeTransaction(raw, from);
      const left = gasLeft;
      const apply = () => applyMessage(engine, transaction, { isCall: false, gasLeft: left });
      if (wanted.has(index)) {
        const context = toContext(job, index);
        const traced = { message: transaction, config: job.tracer, budget: bytes, ...(context && { context }) };
        const { applied, trace } = await traceMessage(engine, traced, apply);
        traces.push({ hash, trace });
        gasLeft -= applied.gasUsed;
      } else gasLeft -= (await apply()).gasUsed;
    }
    return { kind: "traceBlock", traces };
  });
}

/** Returns undefined if the block isn't mined. */
function toContext(job: TraceBlock, transactionPosition: number): TraceContext | undefined {
  const transaction = job.transactions[transactionPosition];
  if (job.hash === undefined || !transaction) return undefined;
  return { blockHash: job.hash, blockNumber: job.env.number, transactionHash: transaction.hash, transactionPosition };
}
