/**
 * Runs any job in the current thread. Only opens the store for jobs that read it, because a genesis is created before
 * there is a database. The budget applies to calls, traces, simulations, and blocks that run in the calling thread.
 */

import { type Budget, createStopwatch } from "@/server/evm/budget";
import { callAtOnce, executeCall, executeTraceCalls, openEngine } from "@/server/execution/call";
import { executeCreateAccessList, listAtOnce } from "@/server/execution/createAccessList";
import { executeEditState } from "@/server/execution/editState";
import type { Engine } from "@/server/execution/engine";
import { estimateAtOnce, executeEstimateGas } from "@/server/execution/estimateGas";
import { executeBlock } from "@/server/execution/executeBlock";
import { executeGenesis } from "@/server/execution/genesis";
import { openJobReads } from "@/server/execution/jobReads";
import { executeRecoverSenders } from "@/server/execution/recoverSenders";
import { executeSimulate } from "@/server/execution/simulate";
import type { ExecutionStore } from "@/server/execution/state/overlay";
import type { CacheableStore } from "@/server/execution/state/readCache";
import { executeTraceBlock } from "@/server/execution/traceBlock";
import { executeVerifyBlobs } from "@/server/execution/verifyBlobs";
import type { Call, CreateAccessList, EstimateGas, Job, JobResult } from "@/server/ports/executor";

type Run<J extends Job> = (job: J, openStore: () => Promise<ExecutionStore>, budget: Budget) => Promise<JobResult<J>>;
type Handlers = { [K in Job["kind"]]: Run<Extract<Job, { kind: K }>> };

const handlers: Handlers = {
  genesis: (job) => executeGenesis(job),
  executeBlock: async (job, openStore, budget) =>
    executeBlock(
      job,
      await openStore(),
      budget.isBrief ? { ...budget, spentMs: () => 0, limit: () => undefined } : createStopwatch(),
    ),
  editState: async (job, openStore) => executeEditState(job, await openStore()),
  call: async (job, openStore, budget) => executeCall(job, await openStore(), budget),
  estimateGas: async (job, openStore, budget) => executeEstimateGas(job, await openStore(), budget),
  createAccessList: async (job, openStore, budget) => executeCreateAccessList(job, await openStore(), budget),
  verifyBlobs: (job) => executeVerifyBlobs(job),
  recoverSenders: (job) => executeRecoverSenders(job),
  simulate: async (job, openStore, budget) => executeSimulate(job, await openStore(), budget),
  traceCalls: async (job, openStore, budget) => executeTraceCalls(job, await openStore(), budget),
  traceBlock: async (job, openStore, budget) => executeTraceBlock(job, await openStore(), budget),
};

/** A job that runs without waiting, if its store reads synchronously and it has no overrides and no tracer. */
export type BriefCall = Call | EstimateGas | CreateAccessList;

type RunBrief<J extends BriefCall> = (engine: Engine, job: J) => JobResult<J>;

const briefHandlers: { [K in BriefCall["kind"]]: RunBrief<Extract<BriefCall, { kind: K }>> } = {
  call: callAtOnce,
  estimateGas: estimateAtOnce,
  createAccessList: listAtOnce,
};

/** Runs a brief call at once. Throws the same errors as `runJob`, or PendingRead if it has to wait after all. */
export function runBriefCall<J extends BriefCall>(job: J, store: CacheableStore, budget: Budget): JobResult<J> {
  const run = briefHandlers[job.kind] as RunBrief<J>;
  return run(openEngine(job, openJobReads(job, store), budget), job);
}

/** Throws any error that the budget or the job's own function throws. */
export function runJob<J extends Job>(
  job: J,
  openStore: () => Promise<CacheableStore>,
  budget: Budget,
): Promise<JobResult<J>> {
  const handler = handlers[job.kind] as Run<J>;
  return handler(job, async () => openJobReads(job, await openStore()), budget);
}
