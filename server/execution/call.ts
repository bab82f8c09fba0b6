/** Runs calls: executes a message on the state of a block and discards its changes. */
import { toHex } from "@/server/ethereum/codec/bytes";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { findErrorCode, isInvalidTransaction } from "@/server/ethereum/errors";
import type { Message } from "@/server/ethereum/message";
import { untilComplete } from "@/server/ethereum/pending";
import { type Budget, unlimited } from "@/server/evm/budget";
import { createTraceBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import type { Trace, TracerConfig } from "@/server/evm/tracers/tracer";
import { createEngine, type Engine } from "@/server/execution/engine";
import { applyOverrides } from "@/server/execution/overrides";
import { createOverlay, type ExecutionStore } from "@/server/execution/state/overlay";
import { startBlock } from "@/server/execution/systemCalls";
import { traceMessage } from "@/server/execution/traceMessage";
import { type Applied, applyAtOnce, applyMessage } from "@/server/execution/transition";
import type {
  Call,
  CallDone,
  CallMessage,
  CallResult,
  CreateAccessList,
  EstimateGas,
  TraceCalls,
  TraceCallsDone,
} from "@/server/ports/executor";

/** Throws InvalidTransactionError if the call is invalid. */
export function executeCall(job: Call, store: ExecutionStore, budget: Budget = unlimited): Promise<CallDone> {
  return atState(job, store, budget, async (engine) => {
    if (!job.tracer) return untilComplete(() => callAtOnce(engine, job));
    if (job.recordsConsole) engine.recordsConsole = true;
    const { applied, trace } = await traceCall(engine, job.call, job.tracer, createTraceBudget(job.traceBytes));
    return { kind: "call", result: { ...toCallResult(applied), trace } };
  });
}

/** Runs a call without a tracer. Throws PendingRead if a value must be fetched first. */
export function callAtOnce(engine: Engine, job: Call): CallDone {
  if (job.recordsConsole) engine.recordsConsole = true;
  return { kind: "call", result: toCallResult(runCall(engine, toMessage(job.call))) };
}

/** Throws InvalidTransactionError if a call is invalid. */
export function executeTraceCalls(
  job: TraceCalls,
  store: ExecutionStore,
  budget: Budget = unlimited,
): Promise<TraceCallsDone> {
  return atState(job, store, budget, async (engine) => {
    const bytes = createTraceBudget(job.traceBytes);
    const traces: Trace[] = [];
    for (const { call, tracer } of job.calls) {
      traces.push((await traceCall(engine, call, tracer, bytes)).trace);
    }
    return { kind: "traceCalls", traces };
  });
}

function traceCall(engine: Engine, call: CallMessage, config: TracerConfig, budget: TraceBudget) {
  const message = toMessage(call);
  return traceMessage(engine, { message, config, budget }, () => untilComplete(() => runCall(engine, message)));
}

type StateJob = Omit<Call | EstimateGas | CreateAccessList, "kind" | "call">;

/** Creates an engine for the job, prepares its state and calls `work` with it. */
export async function atState<T>(
  job: StateJob,
  store: ExecutionStore,
  budget: Budget,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = openEngine(job, store, budget);
  if (job.preceding) await applyPreceding(engine, job.preceding);
  if (job.overrides) await applyOverrides(engine, job.overrides, budget);
  return work(engine);
}

/** Creates an engine on the state at the end of the job's block. */
export function openEngine({ spec, env, stateBlock }: StateJob, store: ExecutionStore, budget: Budget): Engine {
  const overlay = createOverlay({ store, block: stateBlock });
  return createEngine({ spec, env, overlay, reads: store.reads, budget });
}

/** Applies the transactions that come before the call in the same block. Skips invalid ones. */
async function applyPreceding(engine: Engine, transactions: NonNullable<Call["preceding"]>): Promise<void> {
  await startBlock(engine);
  for (const { raw, from } of transactions) {
    engine.overlay.checkpoint();
    try {
      await applyMessage(engine, decodeTransaction(raw, from), { isCall: false, gasLeft: engine.env.gasLimit });
      engine.overlay.commit();
    } catch (error) {
      engine.overlay.revert();
      if (!isInvalidTransaction(error)) throw error;
    }
  }
}

/** Throws PendingRead if a value must be fetched first. */
export function runCall(engine: Engine, message: Message): Applied {
  return applyAtOnce(engine, message, { isCall: true, gasLeft: message.gasLimit });
}

/**
 * Runs a call and reverts its changes, so that the next attempt starts from the same state. Throws PendingRead if a
 * value must be fetched first.
 */
export function attempt(engine: Engine, message: Message): Applied {
  engine.overlay.checkpoint();
  try {
    return runCall(engine, message);
  } finally {
    engine.overlay.revert();
  }
}

/** Like `attempt`, but returns undefined if the gas limit is below the intrinsic gas. */
export function attemptWithGas(engine: Engine, message: Message, gasLimit: bigint): Applied | undefined {
  try {
    return attempt(engine, { ...message, gasLimit });
  } catch (error) {
    if (findErrorCode(error) === "intrinsic gas too low") return undefined;
    throw error;
  }
}

export function toMessage(call: CallMessage): Message {
  const { from, to, gas, value, input, nonce, accessList, blobVersionedHashes, authorizationList } = call;
  const hasFeeCap = call.maxFeePerGas !== undefined || call.maxPriorityFeePerGas !== undefined;
  const message: Message = {
    type: authorizationList ? 4 : blobVersionedHashes ? 3 : hasFeeCap ? 2 : accessList ? 1 : 0,
    from,
    nonce: nonce ?? 0n,
    gasLimit: gas,
    value,
    input,
  };
  if (to !== undefined) message.to = to;
  if (hasFeeCap) {
    message.maxFeePerGas = call.maxFeePerGas ?? 0n;
    message.maxPriorityFeePerGas = call.maxPriorityFeePerGas ?? 0n;
  } else message.gasPrice = call.gasPrice;
  if (call.maxFeePerBlobGas !== undefined) message.maxFeePerBlobGas = call.maxFeePerBlobGas;
  if (accessList) message.accessList = accessList;
  if (blobVersionedHashes) message.blobVersionedHashes = blobVersionedHashes;
  if (authorizationList) message.authorizationList = authorizationList;
  return message;
}

export function toCallResult(applied: Applied): CallResult {
  return {
    gasUsed: applied.gasUsed,
    output: toHex(applied.output),
    ...(applied.failure ? { failure: applied.failure } : {}),
    logs: applied.logs,
    ...(applied.consoleCalls.length > 0 && { consoleCalls: applied.consoleCalls }),
  };
}
