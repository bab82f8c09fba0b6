/**
 * The node's JSON-RPC error codes, and the only place that converts errors to them. Sources: JSON-RPC 2.0, EIP-1474,
 * execution-apis (3 with revert data), EIP-7966 (4 and 5). Callers never get the original message of an internal error.
 */
import type { z } from "zod";
import { RpcError } from "@/lib/rpc/client";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { findErrorCode, isRefusalReason, type RefusalReason, type UnknownBlockError } from "@/server/ethereum/errors";
import type { CallResult } from "@/server/ports/executor";
import { toAnvilRefusal, toAnvilRevert } from "@/server/rpc/anvilErrors";
import { toHardhatFailure, toHardhatRefusal } from "@/server/rpc/hardhatErrors";

export { RpcError };

const code = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
  notAllowed: -32004,
  limitExceeded: -32005,
  reverted: 3,
  syncTimeout: 4,
  syncNotReady: 5,
} as const;

/** The error codes, keyed by the names used in lib/rpc/schema/errors.ts. */
export { code as errorCodes };

export const toParseError = () => new RpcError(code.parse, "Parse error: the body is not valid JSON.");

export const toInvalidRequest = (why: string) => new RpcError(code.invalidRequest, `Invalid request: ${why}`);

export const toMethodNotFound = (method: string) =>
  new RpcError(code.methodNotFound, `The method ${method.slice(0, 100)} does not exist or is not available.`);

/** The error for a method that pushes events, which requires an open connection. */
export const toNeedsWebSocket = (method: string) =>
  new RpcError(code.methodNotFound, `The method ${method} requires a WebSocket connection to this endpoint.`);

/**
 * The error for subscriptions to a remote network. The node reaches remote networks only over HTTP, so they have no
 * events.
 */
export const toNoEvents = (method: string) =>
  new RpcError(
    code.methodNotFound,
    `The method ${method} is not available on remote networks: poll eth_newBlockFilter or eth_newFilter, or use the network's event stream.`,
  );

/** In the message, `why` follows "invalid argument 0: ". */
export const toInvalidArgument = (position: number, why: string) =>
  new RpcError(code.invalidParams, `invalid argument ${position}: ${why}`, { argument: position });

export const toInvalidParams = (why: string) => new RpcError(code.invalidParams, why);

/** `name` is the limit's name in the configuration. */
export const toLimitExceeded = (name: string, why: string) => new RpcError(code.limitExceeded, why, { limit: name });

/** The error if dev controls are disabled on the network. */
export const toNotDeveloped = (network: string) =>
  new RpcError(
    code.methodNotFound,
    `Dev controls are disabled on network ${network}: they require an embedded chain in a single process and TOLLSCAN_DEVELOPER=on.`,
  );

/** The error if the caller isn't allowed to change the chain without a signature. */
export const toNotAllowed = (method: string) =>
  new RpcError(
    code.notAllowed,
    `${method.slice(0, 100)} can only be called from this machine or from an origin listed in TOLLSCAN_ALLOWED_ORIGINS.`,
  );

/** The error for a method that cannot run now, for example because something is missing. */
export const toServerError = (why: string) => new RpcError(code.server, why);

export const toInternalError = () => new RpcError(code.internal, "Internal error.");

export const toSyncTimeout = (hash: string, timeoutMs: number) =>
  new RpcError(code.syncTimeout, `The transaction is in the pool but was not mined within ${timeoutMs} ms.`, { hash });

export const toSyncNotReady = (hash: string, why: string) =>
  new RpcError(code.syncNotReady, `The transaction is in the pool but cannot be mined yet: ${why}.`, { hash });

/** Whether errors have the wording of Hardhat's node, or that of anvil. */
type Dialect = { hardhat?: boolean; anvil?: boolean };

/**
 * The error for a failed call. A revert includes its data and its reason or custom error. If the network behaves like
 * Hardhat's node, any other failure includes empty data, because Hardhat's matchers require it.
 */
export function toCallFailure(result: Pick<CallResult, "failure" | "output">, { hardhat }: Dialect = {}): RpcError {
  const failure = result.failure;
  if (hardhat) {
    const isRevert = failure?.kind === "revert";
    return new RpcError(
      isRevert ? code.reverted : code.server,
      toHardhatFailure(result),
      isRevert ? result.output : "0x",
    );
  }
  if (failure?.kind !== "revert") return new RpcError(code.server, failure?.message ?? "execution failed");
  const reason = toAnvilRevert(toBytes(result.output));
  return new RpcError(code.reverted, reason ? `${failure.message}: ${reason}` : failure.message, result.output);
}

/** The codes that eth_simulateV1 uses for the standard failure reasons (execution-apis). */
const simulationCodes: Record<string, number> = {
  "nonce too low": -38010,
  "nonce too high": -38011,
  "max fee per gas less than block base fee": -38012,
  "intrinsic gas too low": -38013,
  "insufficient funds for gas * price + value": -38014,
  "gas limit reached": -38015,
  "number order": -38020,
  "timestamp order": -38021,
  "sender not an eoa": -38024,
  "max initcode size exceeded": -38025,
  "too many blocks": -38026,
  "max priority fee per gas higher than max fee per gas": code.invalidParams,
};
const simulatedHalt = -32015;

/**
 * The error for a simulation that was rejected as a whole. A refusal reason without its own code becomes an
 * internal error, as in geth. Returns any other error unchanged.
 */
export function toSimulationError(error: unknown): unknown {
  const reason = findErrorCode(error);
  const simulated = simulationCodes[String(reason)] ?? (isRefusalReason(reason) ? code.internal : undefined);
  return simulated !== undefined && error instanceof Error ? new RpcError(simulated, error.message) : error;
}

/** The failure of one call in a simulated block; the block itself remains valid. */
export function toSimulatedFailure(result: CallResult): { code: number; message: string; data?: CallResult["output"] } {
  const { code: failed, message } = toCallFailure(result);
  if (failed !== code.reverted) return { code: simulatedHalt, message };
  return { code: failed, message, data: result.output };
}

/** Maps error codes to the errors that callers get. */
const faults: Record<string, (fault: Error) => RpcError> = {
  CALL_GAS: ({ message }) => toLimitExceeded("callGas", message),
  CHAIN_CLOSED: ({ message }) => toServerError(message),
  EXECUTOR_CLOSED: ({ message }) => toServerError(message),
  INVALID_BLOCK: ({ message }) => toServerError(message),
  INVALID_TRANSACTION: ({ message }) => toServerError(message),
  JOB_TIMEOUT: ({ message }) => toLimitExceeded("callTimeMs", message),
  MALFORMED_TRANSACTION: ({ message }) => toInvalidArgument(0, message),
  NOT_POSSIBLE: ({ message }) => toInvalidParams(message),
  QUEUE_FULL: ({ message }) => toLimitExceeded("callQueue", message),
  STORE_FULL: () => toServerError("The node's disk is full. It accepts transactions again once space is freed."),
  TOO_MANY_CLIENT_FILTERS: ({ message }) => toLimitExceeded("clientFilters", message),
  TOO_MANY_FILTERS: ({ message }) => toLimitExceeded("filters", message),
  TRACER_SCRIPT: ({ message }) => toServerError(message),
  TRACE_TOO_LARGE: ({ message }) => toLimitExceeded("responseBytes", message),
  UNKNOWN_BLOCK: (fault) => toServerError(`block ${(fault as UnknownBlockError).reference} not found`),
  UNKNOWN_FILTER: ({ message }) => toServerError(message),
  UPSTREAM_FAILED: ({ message }) => toServerError(message),
};

/** Returns the error response for a thrown value; undefined if the value is unexpected and must be logged. */
export function findRpcError(error: unknown, dialect: Dialect = {}): RpcError | undefined {
  if (error instanceof RpcError) return error;
  const cause = findErrorCode(error);
  if (!(error instanceof Error) || typeof cause !== "string") return undefined;
  if (isRefusalReason(cause)) return toServerError(toRefusal(cause, error.message, dialect));
  return Object.hasOwn(faults, cause) ? faults[cause]?.(error) : undefined;
}

function toRefusal(reason: RefusalReason, message: string, { hardhat, anvil }: Dialect): string {
  if (hardhat) return toHardhatRefusal(reason, message);
  return anvil ? toAnvilRefusal(reason, message) : message;
}

/** Reports the first problem in the params, with the argument's position and the path inside it. */
export function toParamsError(error: z.core.$ZodError, paramNames: readonly string[], given: number): RpcError {
  const issue = error.issues[0];
  if (!issue) return toInvalidParams("invalid params");
  if (issue.path.length === 0) {
    if (issue.code === "too_big") return toInvalidParams(`too many arguments, want at most ${paramNames.length}`);
    return toInvalidParams(`missing value for required argument ${given} (${paramNames[given] ?? "?"})`);
  }
  const { path, message } = findCause(issue, []);
  const position = Number(path[0]);
  const name = paramNames[position] ?? "?";
  // Long keys are shortened, because callers choose the keys.
  const keys = path.slice(1).map((key) => (typeof key === "number" ? key : String(key).slice(0, 100)));
  const inside = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`));
  const data = { argument: position, name, path: keys.map(String) };
  const where = inside.length > 0 ? `${inside.join("").replace(/^\./, "")}: ` : "";
  return new RpcError(code.invalidParams, `invalid argument ${position}: ${where}${message.slice(0, 300)}`, data);
}

type Issue = z.core.$ZodIssue;

/** For a union, reports the alternative that matched furthest, which is more helpful than "invalid input". */
function findCause(issue: Issue, above: PropertyKey[]): { path: PropertyKey[]; message: string } {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    const alternatives = issue.errors.flatMap((issues) => issues.slice(0, 1)).map((inner) => findCause(inner, path));
    const deepest = alternatives.sort((a, b) => b.path.length - a.path.length)[0];
    const custom = issue.errors.flat().find((inner) => inner.code === "custom" && inner.path.length === 0);
    if (deepest && deepest.path.length > path.length) return deepest;
    if (custom) return { path, message: custom.message };
    return { path, message: issue.message.replace(/^Invalid input$/, "matches none of the accepted formats") };
  }
  if (issue.code === "invalid_key") {
    const inner = issue.issues[0];
    return { path, message: inner ? findCause(inner, []).message : issue.message };
  }
  return { path, message: issue.message.replace(/^Invalid input: /, "") };
}
