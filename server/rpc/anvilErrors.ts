/** Describes failed calls and rejected transactions in anvil's words, because test suites match on the text. */
import type { RefusalReason } from "@/server/ethereum/errors";
import { describeCustomError, findRevert } from "@/server/ethereum/revertReason";

/** Descriptions of Solidity's panic codes, in anvil's words. */
const panics: Partial<Record<string, string>> = {
  "0": "generic/unspecified error",
  "1": "assertion failed",
  "17": "arithmetic underflow or overflow",
  "18": "division or modulo by zero",
  "33": "failed to convert value into enum type",
  "34": "storage byte array incorrectly encoded",
  "49": "called `.pop()` on an empty array",
  "50": "array out-of-bounds access",
  "65": "memory allocation error",
  "81": "called an invalid internal function",
};

/** Describes the data of a revert; undefined if it is shorter than a selector. */
export function toAnvilRevert(data: Uint8Array): string | undefined {
  const revert = findRevert(data);
  if (!revert) return describeCustomError(data);
  if ("reason" in revert) return revert.reason;
  const meaning = panics[revert.panic.toString()] ?? "unknown code";
  return `panic: ${meaning} (0x${revert.panic.toString(16).padStart(2, "0")})`;
}

/** `message` starts with the reason. Only one reason differs from geth's, and only in its first letter. */
export function toAnvilRefusal(reason: RefusalReason, message: string): string {
  return reason === "insufficient funds for gas * price + value" ? message.replace(/^i/, "I") : message;
}
