/**
 * The executor: one worker thread builds blocks, so that calls never delay a block. Another thread verifies blobs, a
 * third recovers senders, and the others run calls. Small jobs run in the calling thread instead.
 */
import { ExecutorClosedError, findErrorCode } from "@/server/ethereum/errors";
import { unlimited } from "@/server/evm/budget";
import { createInline } from "@/server/execution/inline";
import { runJob } from "@/server/execution/runJob";
import { createWorkerQueue, type WorkerQueue } from "@/server/execution/workerQueue";
import type { CallResult, Executor, ExecutorStatistics, Job, JobResult, RunOptions } from "@/server/ports/executor";
import type { StoreLocation } from "@/server/ports/store";

export type ExecutorOptions = {
  location: StoreLocation;
  /** Number of worker threads for calls. They are started as needed. */
  callWorkers?: number;
  /** Number of calls that may wait while every worker is busy. */
  callQueue?: number;
  /** How long a call may run, in milliseconds. */
  callTimeMs?: number;
  /** How long a call may wait before it runs, in milliseconds. */
  callWaitMs?: number;
  /** How long a worker thread waits for its next job before it ends, in milliseconds. */
  idleMs?: number;
};

/** After this time, most HTTP clients have stopped waiting for a response. */
const defaultWaitMs = 30_000;
/** This is long, because imported blocks wait in this queue, and a block can take minutes. */
const buildWaitMs = 600_000;
/** The number of blob transactions that may wait for verification. Each of them takes up to a megabyte. */
const verifyQueue = 16;
/** Sending a message takes longer than a small call, so up to this many calls may share a message. */
const callsTogether = 16;
/**
 * The maximum number of batches that wait for sender recovery. If there are more, the decoding thread recovers their
 * senders.
 */
const recoverQueue = 16;

/** All executors in this thread share this, because they share the thread's turns of the event loop. */
const inline = createInline();

const noStore = () =>
  Promise.reject(new Error("Building a genesis block can't read the database, which does not exist yet."));

/** Starts no threads before the first job. */
export function createExecutor(options: ExecutorOptions): Executor {
  const {
    location,
    callWorkers = 2,
    callQueue = 1_000,
    callTimeMs = 5_000,
    callWaitMs: waitMs = defaultWaitMs,
  } = options;
  const one = { location, workers: 1, waitMs, ...(options.idleMs !== undefined && { idleMs: options.idleMs }) };
  const building = createWorkerQueue({ ...one, queue: Number.POSITIVE_INFINITY, waitMs: buildWaitMs });
  const calling = createWorkerQueue({ ...one, workers: callWorkers, queue: callQueue, together: callsTogether });
  const verifying = createWorkerQueue({ ...one, queue: verifyQueue });
  const recovering = createWorkerQueue({ ...one, queue: recoverQueue });
  const totals = { totalRequests: 0, totalErrors: 0, queueRejections: 0 };
  let isClosed = false;

  function runHere<J extends Job>(job: J, store: RunOptions["store"]) {
    if (isClosed) throw new ExecutorClosedError();
    // If a job reads an asynchronous database, it runs in a worker, which can wait for the database.
    return store?.stateReader ? inline.run(job, store) : undefined;
  }

  /** Runs the job in this thread, because no other job runs before the genesis block exists. */
  async function runGenesis<J extends Job>(job: J): Promise<JobResult<J>> {
    if (isClosed) throw new ExecutorClosedError();
    return runJob(job, noStore, unlimited);
  }

  async function runBlock<J extends Job>(job: J, runOptions: RunOptions): Promise<JobResult<J>> {
    return (await runHere(job, runOptions.store)) ?? building.run(job, runOptions);
  }

  async function runCall<J extends Job>(job: J, runOptions: RunOptions): Promise<JobResult<J>> {
    const { timeoutMs = callTimeMs, store, client } = runOptions;
    totals.totalRequests++;
    try {
      const result = (await runHere(job, store)) ?? (await calling.run(job, { timeoutMs, client }));
      if (hasFailed(result)) totals.totalErrors++;
      return result;
    } catch (error) {
      totals.totalErrors++;
      if (findErrorCode(error) === "QUEUE_FULL") totals.queueRejections++;
      throw error;
    }
  }

  return {
    run(job, runOptions = {}) {
      if (job.kind === "genesis") return runGenesis(job);
      if (job.kind === "executeBlock") return runBlock(job, runOptions);
      if (job.kind === "verifyBlobs") return verifying.run(job, runOptions);
      if (job.kind === "recoverSenders") return recovering.run(job, runOptions);
      return runCall(job, runOptions);
    },
    stopBlocks: () => building.close(),
    statistics: () => toStatistics(calling, callWorkers, totals),
    async close() {
      isClosed = true;
      await Promise.all([building.close(), calling.close(), verifying.close(), recovering.close()]);
    },
  };
}

/** A reverted or failed call counts as an error, although its job succeeded. */
function hasFailed(result: object): boolean {
  return "result" in result && (result.result as CallResult).failure !== undefined;
}

function toStatistics(
  calling: WorkerQueue,
  workers: number,
  totals: Pick<ExecutorStatistics, "totalRequests" | "totalErrors" | "queueRejections">,
): ExecutorStatistics {
  const { active, queued, agesMs } = calling.load();
  const sum = agesMs.reduce((total, age) => total + age, 0);
  return {
    activeRequests: active,
    queuedRequests: queued,
    inactiveExecutors: workers - active,
    ...totals,
    averageRequestAgeMs: agesMs.length === 0 ? 0 : Math.round(sum / agesMs.length),
    oldestRequestAgeMs: Math.round(Math.max(0, ...agesMs)),
  };
}
