/** A worker thread: runs its jobs one after another, on its own read-only connection to the store. */
import { parentPort, workerData } from "node:worker_threads";
import { createDeadline, unlimited } from "@/server/evm/budget";
import { runJob } from "@/server/execution/runJob";
import type { CacheableStore } from "@/server/execution/state/readCache";
import { claim, type FromWorker, type ToWorker, toSentError, type WorkerData } from "@/server/execution/workerProtocol";

import type { Job, JobResult, TraceText } from "@/server/ports/executor";

const { location } = workerData as WorkerData;
let store: CacheableStore | undefined;

/**
 * Opens the store on first use, because the database may not exist earlier. If opening fails, the next job tries again.
 */
async function openReader(): Promise<CacheableStore> {
  if (!store) {
    const { openStore } = await import("@/server/storage/open");
    store = await openStore(location, { readonly: true });
  }
  return store;
}

async function answer({ id, job, timeoutMs }: ToWorker["jobs"][number]): Promise<FromWorker> {
  try {
    const budget = timeoutMs === undefined ? unlimited : createDeadline(timeoutMs);
    return { kind: "done", id, result: withTraceTexts(await runJob(job, openReader, budget)) };
  } catch (error) {
    return { kind: "failed", id, error: toSentError(error) };
  }
}

const toText = (trace: unknown): TraceText => ({ json: JSON.stringify(trace) });

/** Turns traces into text. The node only passes traces on, and parsing a large one would block its thread. */
function withTraceTexts(result: JobResult<Job>): JobResult<Job> {
  if (result.kind === "traceBlock") {
    return { ...result, traces: result.traces.map(({ hash, trace }) => ({ hash, trace: toText(trace) })) };
  }
  if (result.kind === "traceCalls") return { ...result, traces: result.traces.map(toText) };
  if (result.kind !== "call" || result.result.trace === undefined) return result;
  return { ...result, result: { ...result.result, trace: toText(result.result.trace) } };
}

async function answerAll({ jobs, claims }: ToWorker): Promise<void> {
  for (const [at, job] of jobs.entries()) {
    if (claim(claims, at)) parentPort?.postMessage(await answer(job));
  }
}

let previous = Promise.resolve();
parentPort?.on("message", (message: ToWorker) => {
  previous = previous.then(() => answerAll(message));
});
parentPort?.postMessage({ kind: "ready" } satisfies FromWorker);
