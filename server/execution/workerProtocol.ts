/** The messages between the pool and its workers. An error is sent as its name, message, code and stack. */
import { findErrorCode } from "@/server/ethereum/errors";
import type { Job, JobResult } from "@/server/ports/executor";
import type { StoreLocation } from "@/server/ports/store";

export type WorkerData = { location: StoreLocation };
/**
 * Jobs to run in order. A worker claims each job before it starts: the queue may take back jobs that haven't started.
 * `timeoutMs` limits each run.
 */
export type ToWorker = { jobs: { id: number; job: Job; timeoutMs: number | undefined }[]; claims: Claims };
/** One entry per job, in shared memory. It is zero until one side claims the job. */
export type Claims = Int32Array<SharedArrayBuffer>;
export type FromWorker =
  /** Sent once, when the code has been loaded. */
  | { kind: "ready" }
  | { kind: "done"; id: number; result: JobResult<Job> }
  | { kind: "failed"; id: number; error: SentError };

export const createClaims = (jobs: number): Claims => new Int32Array(new SharedArrayBuffer(4 * jobs));

/** Claims the job; returns false if the other side has already claimed it. */
export const claim = (claims: Claims, at: number): boolean => Atomics.compareExchange(claims, at, 0, 1) === 0;

/** An error's own fields. Its class is lost, so code that handles errors must identify them by their code. */
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
