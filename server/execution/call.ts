/** Runs calls: executes a message on the state of a block and discards its changes. */
import { toHex } from "@/server/ethereum/codec/bytes";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { findErrorCode, isInvalidTransaction } from "@/server/ethereum/errors";
import type { Message } from "@/server/ethereum/message";
import { type Budget, unlimited } from "@/server/evm/budget";
import { createTraceBudget } from "@/server/evm/tracers/budget";
import type { Trace } from "@/server/evm/tracers/tracer";
import { type Engine, withEngine } from "@/server/execution/engine";
import { applyOverrides } from "@/server/execution/overrides";
import { createOverlay, type ExecutionStore } from "@/server/execution/state/overlay";
import { startBlock } from "@/server/execution/systemCalls";
import { traceMessage } from "@/server/execution/traceMessage";
import { type Applied, applyMessage } from "@/server/execution/transition";
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
    const message = toMessage(job.call);
    if (job.recordsConsole) engine.recordsConsole = true;
    if (!job.tracer) return { kind: "call", result: toCallResult(await runCall(engine, message)) };
    const bytes = createTraceBudget(job.traceBytes);
    const traced = { message, config: job.tracer, budget: bytes };
    const { applied, trace } = await traceMessage(engine, traced, () => runCall(engine, message));
    return { kind: "call", result: { ...toCallResult(applied), trace } };
  });
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
      const message = toMessage(call);
      const traced = { message, config: tracer, budget: bytes };
      traces.push((await traceMessage(engine, traced, () => runCall(engine, message))).trace);
    }
    return { kind: "traceCalls", traces };
  });
}

/** Creates an engine for the job and calls `work` with it. */
export function atState<T>(
  job: Omit<Call | EstimateGas | CreateAccessList, "kind" | "call">,
  store: ExecutionStore,
  budget: Budget,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const overlay = createOverlay({ store, block: job.stateBlock });
  return withEngine({ spec: job.spec, env: job.env, overlay, reads: store.reads, budget }, async (engine) => {
    if (job.preceding) await applyPreceding(engine, job.preceding);
    if (job.overrides) await applyOverrides(engine, job.overrides, budget);
    return work(engine);
  });
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

export function runCall(engine: Engine, message: Message): Promise<Applied> {
  return applyMessage(engine, message, { isCall: true, gasLeft: message.gasLimit });
}

/** Runs a call and reverts its changes, so that the next attempt starts from the same state. */
export async function attempt(engine: Engine, message: Message): Promise<Applied> {
  engine.overlay.checkpoint();
  try {
    return await runCall(engine, message);
  } finally {
    engine.overlay.revert();
  }
}

/** Like `attempt`, but returns undefined if the gas limit is below the intrinsic gas. */
export async function attemptWithGas(engine: Engine, message: Message, gasLimit: bigint): Promise<Applied | undefined> {
  try {
    return await attempt(engine, { ...message, gasLimit });
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
