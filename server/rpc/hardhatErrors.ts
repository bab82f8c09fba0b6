/**
 * Describes failed calls and rejected transactions in the words of Hardhat's node, because test suites written for it
 * match on the text. Unlike Hardhat, doesn't name custom errors or missing functions, because that requires the
 * contracts' sources.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { RefusalReason } from "@/server/ethereum/errors";
import { findRevert } from "@/server/ethereum/revertReason";
import type { CallResult } from "@/server/ports/executor";

const prefix = "VM Exception while processing transaction:";

/** Descriptions of Solidity's panic codes, in Hardhat's words. */
const panics: Partial<Record<string, string>> = {
  "1": "Assertion error",
  "17": "Arithmetic operation overflowed outside of an unchecked block",
  "18": "Division or modulo division by zero",
  "33": "Tried to convert a value into an enum, but the value was too big or negative",
  "34": "Incorrectly encoded storage byte array",
  "49": ".pop() was called on an empty array",
  "50": "Array accessed at an out-of-bounds or negative index",
  "65": "Too much memory was allocated, or an array was created that is too large",
  "81": "Called a zero-initialized variable of internal function type",
};

export function toHardhatFailure({ failure, output }: Pick<CallResult, "failure" | "output">): string {
  if (failure?.kind === "revert") return toRevert(output);
  if (failure?.kind === "outOfGas") return "Transaction ran out of gas";
  return `${prefix} ${failure?.message ?? "execution failed"}`;
}

function toRevert(output: CallResult["output"]): string {
  if (output === "0x") return "Transaction reverted without a reason string";
  const revert = findRevert(toBytes(output));
  if (!revert) return `${prefix} reverted with an unrecognized custom error (return data: ${output})`;
  if ("reason" in revert) return `${prefix} reverted with reason string '${revert.reason}'`;
  const code = `0x${revert.panic.toString(16)}`;
  const meaning = panics[revert.panic.toString()] ?? "Unknown panic code";
  return `${prefix} reverted with panic code ${code} (${meaning})`;
}

/** Hardhat's sentences for the refusals that suites test for. */
const refusals: Partial<Record<RefusalReason, string>> = {
  "insufficient funds for gas * price + value": "Sender doesn't have enough funds to send tx",
  "nonce too low": "Nonce too low",
  "nonce too high": "Nonce too high",
};

/** `message` starts with the reason. The details after it, if any, follow Hardhat's sentence. */
export function toHardhatRefusal(reason: RefusalReason, message: string): string {
  const sentence = refusals[reason];
  const detail = message.slice(reason.length).replace(/^: /, "");
  if (!sentence) return message;
  return detail ? `${sentence}. ${detail}` : sentence;
}
