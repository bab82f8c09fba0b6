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

/** Hardhat's sentences for the failures that suites test for. */
const halts: Partial<Record<string, string>> = {
  "max code size exceeded": "Transaction reverted: trying to deploy a contract whose code is too large",
};

export function toHardhatFailure({ failure, output }: Pick<CallResult, "failure" | "output">): string {
  if (failure?.kind === "revert") return toRevert(output);
  if (failure?.kind === "outOfGas") return "Transaction ran out of gas";
  const message = failure?.message ?? "execution failed";
  return halts[message] ?? `${prefix} ${message}`;
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

/** A refusal in Hardhat's words: without details, if suites test for that, and with the two numbers in the details. */
type Sentence = { plain?: string; detailed: (first: string, second: string) => string };

/** Hardhat's sentences for the refusals that suites test for. */
const refusals: Partial<Record<RefusalReason, Sentence>> = {
  "insufficient funds for gas * price + value": {
    plain: "Sender doesn't have enough funds to send tx",
    detailed: (balance, cost) =>
      `Sender doesn't have enough funds to send tx. The max upfront cost is: ${cost} and the sender's balance is: ${balance}.`,
  },
  "nonce too low": {
    plain: "Nonce too low",
    detailed: (next, nonce) => `Nonce too low. Expected nonce to be ${next} but got ${nonce}.`,
  },
  "nonce too high": {
    plain: "Nonce too high",
    detailed: (next, nonce) => `Nonce too high. Expected nonce to be ${next} but got ${nonce}.`,
  },
  "intrinsic gas too low": {
    detailed: (gas, needed) => `Transaction requires at least ${needed} gas but got ${gas}`,
  },
  "transaction gas limit too high": {
    detailed: (gas, cap) => `Transaction gas limit is ${gas} and exceeds transaction gas cap of ${cap}`,
  },
  "exceeds block gas limit": {
    detailed: (gas, limit) => `Transaction gas limit is ${gas} and exceeds block gas limit of ${limit}`,
  },
  "max fee per gas less than block base fee": {
    detailed: (fee, baseFee) =>
      `Transaction maxFeePerGas (${fee}) is too low for the next block, which has a baseFeePerGas of ${baseFee}`,
  },
  "max priority fee per gas higher than max fee per gas": {
    detailed: (tip, fee) => `maxPriorityFeePerGas (${tip}) is bigger than maxFeePerGas (${fee})`,
  },
};

/** `message` starts with the reason. The details after it, if any, contain the conflicting numbers. */
export function toHardhatRefusal(reason: RefusalReason, message: string): string {
  const sentence = refusals[reason];
  const [first, second] = message.slice(reason.length).match(/\d+/g) ?? [];
  if (first !== undefined && second !== undefined) return sentence?.detailed(first, second) ?? message;
  return sentence?.plain ?? message;
}
