/**
 * The messages between the pool and its workers. An error is sent as its name, message, code and the fields of its
 * class, and restored as an instance of that class.
 */
import {
  InvalidBlockError,
  InvalidTransactionError,
  JobTimeoutError,
  MalformedTransactionError,
  TraceTooLargeError,
} from "@/server/ethereum/errors";
import { MissingNodeError } from "@/server/ethereum/trie";
import type { Hash } from "@/server/ethereum/types";
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

export type SentError = {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  hash?: Hash;
  timeoutMs?: number;
};

export function toSentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    name: error.name,
    message: error.message,
    ...("code" in error && error.code !== undefined ? { code: String(error.code) } : {}),
    ...(error.stack ? { stack: error.stack } : {}),
    ...(error instanceof MissingNodeError ? { hash: error.hash } : {}),
    ...(error instanceof JobTimeoutError ? { timeoutMs: error.timeoutMs } : {}),
  };
}

const classes: Partial<Record<string, new (message: string) => Error>> = {
  InvalidTransactionError,
  InvalidBlockError,
  MalformedTransactionError,
  TraceTooLargeError,
};

export function fromSentError(sent: SentError): Error {
  const error = toClass(sent);
  if (sent.code !== undefined) Object.assign(error, { code: sent.code });
  // Keeps the original stack, which is more useful than this call's.
  if (sent.stack) error.stack = sent.stack;
  return error;
}

function toClass(sent: SentError): Error {
  if (sent.name === "MissingNodeError" && sent.hash) return new MissingNodeError(sent.hash);
  if (sent.name === "JobTimeoutError" && sent.timeoutMs !== undefined) return new JobTimeoutError(sent.timeoutMs);
  const known = classes[sent.name];
  if (known) return new known(sent.message);
  const error = new Error(sent.message);
  error.name = sent.name;
  return error;
}
