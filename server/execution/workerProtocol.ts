/**
 * What the pool and its workers say to each other. An error crosses as its name, its message, its code and the
 * values its class is made of, and is of that class again on the other side.
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
 * Jobs to be run one after the other, each once it is claimed: the lane may take back what was not begun. timeoutMs is
 * how long each may run.
 */
export type ToWorker = { jobs: { id: number; job: Job; timeoutMs: number | undefined }[]; claims: Claims };
/** One place per job, in memory that both sides have: zero until one of them takes the job. */
export type Claims = Int32Array<SharedArrayBuffer>;
export type FromWorker =
  /** The code is loaded; sent once. */
  | { kind: "ready" }
  | { kind: "done"; id: number; result: JobResult<Job> }
  | { kind: "failed"; id: number; error: SentError };

export const createClaims = (jobs: number): Claims => new Int32Array(new SharedArrayBuffer(4 * jobs));

/** Whether the job is the caller's: nobody had taken it. */
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
  // Where it was thrown, which says more than where it arrived.
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
