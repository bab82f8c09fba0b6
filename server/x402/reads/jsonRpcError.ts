/**
 * Interprets EIP-1193 rejections. Providers wrap the JSON-RPC error in their own errors, so the whole cause chain is
 * searched. A revert's message is sanitized before it is passed on.
 */
import { decodeErrorResult, parseAbi } from "viem";
import { hasErrorCode } from "@/lib/hasErrorCode";
import type { Hex } from "@/lib/x402/types";

/** The network failed or returned an invalid response. */
export class NetworkError extends Error {
  override name = "NetworkError";
  readonly code = "NETWORK_FAILED";
}

export function isNetworkError(error: unknown): error is NetworkError {
  return hasErrorCode(error, "NETWORK_FAILED");
}

export type RpcFailure = { code: number; message: string; data?: unknown };

/**
 * Finds the innermost JSON-RPC error in an error's cause chain, which is the one that the node sent. Returns undefined
 * if there is none, for example because the connection broke.
 */
export function findRpcFailure(error: unknown): RpcFailure | undefined {
  let found: RpcFailure | undefined;
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    const { code, message, data, details } = current as Error & Record<string, unknown>;
    // A DOMException also has a numeric code, such as 20 for an aborted fetch, but it isn't a JSON-RPC code.
    if (typeof code === "number" && !(current instanceof DOMException)) {
      found = { code, message: `${message} ${String(details ?? "")}`, data: data ?? found?.data };
    }
    current = current.cause;
  }
  return found;
}

/**
 * Whether the node reports an unknown method. EIP-1474 and JSON-RPC define different codes for this, and some nodes say
 * it only in the message.
 */
export function isUnknownMethod({ code, message }: RpcFailure): boolean {
  const inWords = /method .*(not (found|supported|available)|does not exist)/i.test(message);
  return code === -32601 || code === -32004 || inWords;
}

/** Whether the node itself failed, so that the request's effect is unknown. */
export function isInternalError({ code }: RpcFailure): boolean {
  return code === -32603;
}

const solidityErrors = parseAbi(["error Error(string)", "error Panic(uint256)"]);

export type Revert = { data: Hex; sentence: string };

/** Returns the revert that a failed eth_call or eth_estimateGas reports, or undefined for any other failure. */
export function findRevert(failure: RpcFailure): Revert | undefined {
  const data = findHex(failure.data);
  // execution-apis uses code 3 for a revert; other nodes use -32000 or -32015 with a message. Too little gas for a
  // call's data also counts as a revert, because it's the call's fault and not the network's.
  const reverted =
    failure.code === 3 ||
    data !== undefined ||
    /revert|invalid opcode|out ?of ?gas|intrinsic gas/i.test(failure.message);
  return reverted ? { data: data ?? "0x", sentence: toSentence(data ?? "0x") } : undefined;
}

function findHex(value: unknown): Hex | undefined {
  if (typeof value === "string") {
    const match = /0x[0-9a-fA-F]*$/.exec(value);
    return match ? (match[0] as Hex) : undefined;
  }
  if (typeof value === "object" && value !== null && "data" in value) return findHex(value.data);
  return undefined;
}

/** A contract may revert with any bytes, so only printable text of moderate length is passed on. */
function toSentence(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: solidityErrors, data });
    if (errorName !== "Error") return "";
    return args[0].replace(/[^\x20-\x7e]/g, "?").slice(0, 160);
  } catch {
    return "";
  }
}
