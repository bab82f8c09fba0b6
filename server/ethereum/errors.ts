/**
 * What can go wrong in a chain. Each class is one cause, its message one sentence; the JSON-RPC codes they become
 * stand in server/rpc/errors.ts alone.
 */

/** The code that an error carries; undefined if it has none. */
export function findErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** A block reference names no block we have. */
export class UnknownBlockError extends Error {
  override name = "UnknownBlockError";
  readonly reference: string;

  constructor(reference: string) {
    super(`Block ${reference} is not known.`);
    this.reference = reference;
  }
}

/** The standard reasons for which a transaction is refused, as clients know them from geth. */
export type RefusalReason =
  | "nonce too low"
  | "nonce too high"
  | "already known"
  | "replacement transaction underpriced"
  | "insufficient funds for gas * price + value"
  | "intrinsic gas too low"
  | "gas limit reached"
  | "blob gas limit reached"
  | "exceeds block gas limit"
  | "max fee per gas less than block base fee"
  | "max priority fee per gas higher than max fee per gas"
  | "max fee per blob gas less than block blob gas fee"
  | "invalid chain id for signer"
  | "invalid sender"
  | "max initcode size exceeded"
  | "transaction type not supported"
  | "only replay-protected (EIP-155) transactions allowed over RPC"
  | "sender not an eoa"
  | "txpool is full"
  | "account limit exceeded"
  | "oversized data"
  | "transaction gas limit too high"
  | "blob transaction is invalid"
  | "set code transaction is invalid";

/** A transaction that the pool does not take. detail says which values collide. */
export class TransactionRefusedError extends Error {
  override name = "TransactionRefusedError";
  readonly code: RefusalReason;
  readonly detail?: string | undefined;

  constructor(code: RefusalReason, detail?: string) {
    super(detail ? `${code}: ${detail}` : code);
    this.code = code;
    this.detail = detail;
  }
}

/** Bytes that are not a transaction. */
export class MalformedTransactionError extends Error {
  override name = "MalformedTransactionError";
}

/** The chain was closed and takes nothing more. */
export class ChainClosedError extends Error {
  override name = "ChainClosedError";
  constructor() {
    super("The node is shutting down.");
  }
}

/** The executor's queue is full. */
export class QueueFullError extends Error {
  override name = "QueueFullError";
  readonly limit: number;

  constructor(limit: number) {
    super(`The queue of ${limit} waiting calls is full, try again later.`);
    this.limit = limit;
  }
}

/** A call that got the most gas a call may have ran out of it. */
export class CallGasError extends Error {
  override name = "CallGasError";
  readonly limit: bigint;

  constructor(limit: bigint) {
    super(`out of gas: the call needs more than the limit of ${limit} gas for one call`);
    this.limit = limit;
  }
}

/** The executor was closed, and with it every job that waited or ran. */
export class ExecutorClosedError extends Error {
  override name = "ExecutorClosedError";
  constructor() {
    super("The executor is closed.");
  }
}

/** What a developer asked of a chain of their own cannot be done; the message says why. */
export class NotPossibleError extends Error {
  override name = "NotPossibleError";
}

/** A job ran longer than allowed and was stopped. */
export class JobTimeoutError extends Error {
  override name = "JobTimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`Execution was stopped after ${timeoutMs} ms.`);
    this.timeoutMs = timeoutMs;
  }
}

/** A trace has more bytes than an answer may have; its message names the limit. */
export class TraceTooLargeError extends Error {
  override name = "TraceTooLargeError";
}

/** A call or imported transaction that may not run at all. code is the standard reason, if there is one. */
export class InvalidTransactionError extends Error {
  override name = "InvalidTransactionError";
  readonly code?: RefusalReason | undefined;

  constructor(message: string, code?: RefusalReason) {
    super(message);
    this.code = code;
  }
}

/** An imported block whose execution disagrees with its header. */
export class InvalidBlockError extends Error {
  override name = "InvalidBlockError";
}
