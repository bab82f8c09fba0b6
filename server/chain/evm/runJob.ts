/**
 * Runs any job in the present thread. The store is asked for only by a job that reads one: a genesis is made before
 * there is a database. The budget ends what runs on behalf of callers; a block is bounded by its gas.
 */
import { executeCall } from "@/server/chain/evm/call";
import { executeCreateAccessList } from "@/server/chain/evm/createAccessList";
import { executeEditState } from "@/server/chain/evm/editState";
import { executeEstimateGas } from "@/server/chain/evm/estimateGas";
import { executeBlock } from "@/server/chain/evm/executeBlock";
import type { Job, JobResult } from "@/server/chain/evm/executor";
import { executeGenesis } from "@/server/chain/evm/genesis";
import { openJobReads } from "@/server/chain/evm/jobReads";
import type { Budget } from "@/server/chain/evm/machine/budget";
import { executeRecoverSenders } from "@/server/chain/evm/recoverSenders";
import { executeSimulate } from "@/server/chain/evm/simulate";
import type { ExecutionStore } from "@/server/chain/evm/state/overlay";
import type { CacheableStore } from "@/server/chain/evm/state/readCache";
import { executeTraceBlock } from "@/server/chain/evm/traceBlock";
import { executeVerifyBlobs } from "@/server/chain/evm/verifyBlobs";

type Handlers = {
  [K in Job["kind"]]: (
    job: Extract<Job, { kind: K }>,
    openStore: () => Promise<ExecutionStore>,
    budget: Budget,
  ) => Promise<JobResult<Extract<Job, { kind: K }>>>;
};

const handlers: Handlers = {
  genesis: (job) => executeGenesis(job),
  executeBlock: async (job, openStore) => executeBlock(job, await openStore()),
  editState: async (job, openStore) => executeEditState(job, await openStore()),
  call: async (job, openStore, budget) => executeCall(job, await openStore(), budget),
  estimateGas: async (job, openStore, budget) => executeEstimateGas(job, await openStore(), budget),
  createAccessList: async (job, openStore, budget) => executeCreateAccessList(job, await openStore(), budget),
  verifyBlobs: (job) => executeVerifyBlobs(job),
  recoverSenders: (job) => executeRecoverSenders(job),
  simulate: async (job, openStore, budget) => executeSimulate(job, await openStore(), budget),
  traceBlock: async (job, openStore, budget) => executeTraceBlock(job, await openStore(), budget),
};

/** Throws what the budget does, and what the job's own function says. */
export function runJob<J extends Job>(
  job: J,
  openStore: () => Promise<CacheableStore>,
  budget: Budget,
): Promise<JobResult<J>> {
  const handler = handlers[job.kind] as unknown as (
    job: J,
    openStore: () => Promise<ExecutionStore>,
    budget: Budget,
  ) => Promise<JobResult<J>>;
  return handler(job, async () => openJobReads(job, await openStore()), budget);
}
