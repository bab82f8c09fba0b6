/**
 * What the pool and its workers say to each other. An error crosses as its name, its message and the values its class
 * is made of, and is of that class again on the other side.
 */
import {
  InvalidBlockError,
  InvalidTransactionError,
  MalformedTransactionError,
  TraceTooLargeError,
} from "@/server/chain/errors";
import type { Job, JobResult } from "@/server/chain/evm/executor";
import { MissingNodeError } from "@/server/chain/evm/state/trie";
import type { Hash } from "@/server/chain/types";
import type { StoreLocation } from "@/server/storage/port";

export type WorkerData = { location: StoreLocation };
export type ToWorker = { id: number; job: Job };
export type FromWorker =
  /** The code is loaded; sent once. */
  | { kind: "ready" }
  | { kind: "done"; id: number; result: JobResult<Job> }
  | { kind: "failed"; id: number; error: SentError };

export type SentError = { name: string; message: string; stack?: string; hash?: Hash };

export function toSentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    name: error.name,
    message: error.message,
    ...(error.stack ? { stack: error.stack } : {}),
    ...(error instanceof MissingNodeError ? { hash: error.hash } : {}),
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
  // Where it was thrown, which says more than where it arrived.
  if (sent.stack) error.stack = sent.stack;
  return error;
}

function toClass(sent: SentError): Error {
  if (sent.name === "MissingNodeError" && sent.hash) return new MissingNodeError(sent.hash);
  const known = classes[sent.name];
  if (known) return new known(sent.message);
  const error = new Error(sent.message);
  error.name = sent.name;
  return error;
}
