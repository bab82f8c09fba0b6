/**
 * Classifies Postgres and network errors: whether to retry the statement, retry the transaction, or report the error.
 */
import { StoreFormatError, StoreFullError, StoreUnavailableError } from "@/server/storage/errors";

/** Error codes that mean that the connection broke or the server stopped. Uncommitted changes are lost. */
const lossCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "57P01", // admin_shutdown: the session was ended
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "08000",
  "08001",
  "08003",
  "08006",
  "53300", // too_many_connections
  "25P03", // idle_in_transaction_session_timeout
]);
const lossWords =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying)/;

/** Error codes for a transaction that conflicted with another one. It was rolled back and can be run again. */
const conflictCodes = new Set(["40001", "40P01"]);

function toCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isConnectionLoss(error: unknown): boolean {
  return lossCodes.has(toCode(error)) || (error instanceof Error && lossWords.test(error.message));
}

/** Whether the server did not respond in time. If so, another attempt could take just as long. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Whether a commit may have been stored although it failed with this error. */
export function isCommitUncertain(error: unknown): boolean {
  return isTimeout(error) || (isConnectionLoss(error) && !isUnsent(error));
}

/** Whether the statement was never sent, because its connection was already broken. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && /^(Client has encountered a connection error|Client was closed)/.test(error.message);
}

export function isConflict(error: unknown): boolean {
  return conflictCodes.has(toCode(error));
}

/** Whether another process created the same schema or table at the same time. */
export function isCreatedTwice(error: unknown): boolean {
  return ["23505", "42P06", "42P07"].includes(toCode(error));
}

/** Turns errors that the operator can fix into clear messages. Returns other errors unchanged. */
export function toStoreError(error: unknown, name: string): unknown {
  const code = toCode(error);
  if (isConnectionLoss(error) || code === "ENOTFOUND") {
    return new StoreUnavailableError(`${name} cannot be reached (${code || "the connection broke"}).`, {
      cause: error,
    });
  }
  if (isTimeout(error)) return new StoreUnavailableError(`${name} did not respond in time.`, { cause: error });
  // 28: invalid authorization, 3D000: no such database, 42501: insufficient privilege.
  if (code.startsWith("28") || code === "3D000" || code === "42501") {
    return new StoreUnavailableError(`${name} does not exist or denies access to this user (${code}).`, {
      cause: error,
    });
  }
  // 53100: disk_full.
  if (code === "53100") return new StoreFullError(`The disk of ${name} is full.`, { cause: error });
  // The table names match Tollscan's, but the columns do not.
  if (code === "42703" || code === "42P01") {
    return new StoreFormatError(`${name} was created by another program.`, { cause: error });
  }
  return error;
}
