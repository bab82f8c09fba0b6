/** The messages between the pool and its workers. An error is sent as its name, message, code and stack. */
import { findErrorCode } from "@/server/ethereum/errors";
import type { Job, JobResult } from "@/server/ports/executor";
import type { StoreLocation } from "@/server/ports/store";

export type WorkerData = { location: StoreLocation };
/**
 * Jobs for the worker to run in order. The queue may take back jobs that haven't started, so the worker claims each job
 * before running it. `timeoutMs` limits each run.
 */
export type ToWorker = { jobs: { id: number; job: Job; timeoutMs: number | undefined }[]; claims: Claims };
/** One entry per job, in shared memory. An entry is zero until the worker or the queue claims the job. */
export type Claims = Int32Array<SharedArrayBuffer>;
export type FromWorker =
  /** Sent once, when the worker has loaded its code. */
  | { kind: "ready" }
  | { kind: "done"; id: number; result: JobResult<Job> }
  | { kind: "failed"; id: number; error: SentError };

export const createClaims = (jobs: number): Claims => new Int32Array(new SharedArrayBuffer(4 * jobs));

/** Claims the job. Returns false if the other side has already claimed it. */
export const claim = (claims: Claims, at: number): boolean => Atomics.compareExchange(claims, at, 0, 1) === 0;

/** The fields of an error. Its class is lost, so use the code to identify the error. */
export type SentError = { name: string; message: string; code?: string; stack?: string };

export function toSentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = findErrorCode(error);
  return {
    name: error.name,
    message: error.message,
    ...(code !== undefined && { code: String(code) }),
    ...(error.stack && { stack: error.stack }),
  };
}

export const fromSentError = (sent: SentError): Error => Object.assign(new Error(sent.message), sent);
