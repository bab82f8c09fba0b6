/**
 * Errors about chains and transactions. Each class stands for one cause. Only server/rpc/errors.ts maps them to
 * JSON-RPC codes.
 */

/** The error's code; undefined if it has none. */
export function findErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The block reference doesn't match any block this node has. */
export class UnknownBlockError extends Error {
  override name = "UnknownBlockError";
  readonly code = "UNKNOWN_BLOCK";
  readonly reference: string;

  constructor(reference: string) {
    super(`Block ${reference} was not found.`);
    this.reference = reference;
  }
}

/** Standard reasons for rejecting a transaction, in geth's wording, because clients match on it. */
const refusalReasons = [
  "nonce too low",
  "nonce too high",
  "nonce has max value",
  "already known",
  "replacement transaction underpriced",
  "insufficient funds for gas * price + value",
  "intrinsic gas too low",
  "gas limit reached",
  "blob gas limit reached",
  "exceeds block gas limit",
  "max fee per gas less than block base fee",
  "max priority fee per gas higher than max fee per gas",
  "max fee per blob gas less than block blob gas fee",
  "invalid chain id for signer",
  "invalid sender",
  "max initcode size exceeded",
  "transaction type not supported",
  "only replay-protected (EIP-155) transactions allowed over RPC",
  "sender not an eoa",
  "txpool is full",
  "account limit exceeded",
  "oversized data",
  "transaction gas limit too high",
  "blob transaction is invalid",
  "set code transaction is invalid",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export function isRefusalReason(code: unknown): code is RefusalReason {
  return (refusalReasons as readonly unknown[]).includes(code);
}

/** The pool rejected a transaction. `detail` contains the conflicting values. */
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

/** The bytes aren't a valid transaction. */
export class MalformedTransactionError extends Error {
  override name = "MalformedTransactionError";
  readonly code = "MALFORMED_TRANSACTION";
}

/** The chain is closed and accepts no more requests. */
export class ChainClosedError extends Error {
  override name = "ChainClosedError";
  readonly code = "CHAIN_CLOSED";
  constructor() {
    super("The node is shutting down.");
  }
}

/** The executor's queue is full. */
export class QueueFullError extends Error {
  override name = "QueueFullError";
  readonly code = "QUEUE_FULL";
  readonly limit: number;

  constructor(limit: number, message = `The call queue is full (${limit}); try again later.`) {
    super(message);
    this.limit = limit;
  }
}

/** A call waited too long for a free worker and never ran. */
export class QueueWaitError extends QueueFullError {
  override name = "QueueWaitError";

  constructor(limit: number, waitMs: number) {
    super(limit, `The call did not start within ${waitMs} ms, because every worker was busy; try again later.`);
  }
}

/** A call used up the node's gas limit for calls. */
export class CallGasError extends Error {
  override name = "CallGasError";
  readonly code = "CALL_GAS";
  readonly limit: bigint;

  constructor(limit: bigint) {
    super(`out of gas: the call exceeds the limit of ${limit} gas per call`);
    this.limit = limit;
  }
}

/** The executor was closed, which ends all waiting and running jobs. */
export class ExecutorClosedError extends Error {
  override name = "ExecutorClosedError";
  readonly code = "EXECUTOR_CLOSED";
  constructor() {
    super("The executor is closed.");
  }
}

/** A dev control can't do what was requested; the message says why. */
export class NotPossibleError extends Error {
  override name = "NotPossibleError";
  readonly code = "NOT_POSSIBLE";
}

/** A job ran longer than allowed and was stopped. */
export class JobTimeoutError extends Error {
  override name = "JobTimeoutError";
  readonly code = "JOB_TIMEOUT";

  constructor(timeoutMs: number) {
    super(`Execution timed out after ${timeoutMs} ms.`);
  }
}

/** A trace exceeds the response size limit; the message states the limit. */
export class TraceTooLargeError extends Error {
  override name = "TraceTooLargeError";
  readonly code = "TRACE_TOO_LARGE";
}

/** A tracer written in JavaScript is invalid or failed; the message says why. */
export class TracerScriptError extends Error {
  override name = "TracerScriptError";
  readonly code = "TRACER_SCRIPT";
}

/** A standard reason if one applies, otherwise a general code. */
export type InvalidTransactionCode = RefusalReason | "INVALID_TRANSACTION";

/** A call or imported transaction that is invalid. */
export class InvalidTransactionError extends Error {
  override name = "InvalidTransactionError";
  readonly code: InvalidTransactionCode;

  constructor(message: string, code: InvalidTransactionCode = "INVALID_TRANSACTION") {
    super(message);
    this.code = code;
  }
}

export function isInvalidTransaction(error: unknown): error is InvalidTransactionError {
  const code = findErrorCode(error);
  return code === "INVALID_TRANSACTION" || isRefusalReason(code);
}

/** An imported block is invalid, for example because its execution doesn't match its header. */
export class InvalidBlockError extends Error {
  override name = "InvalidBlockError";
  readonly code = "INVALID_BLOCK";
}
