/**
 * Interprets EIP-1193 rejections. Providers wrap the JSON-RPC error in their own errors, so the whole cause chain is
 * searched. The only text from a node that leaves this module is a contract's sanitized revert message.
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
 * The innermost JSON-RPC error in an error's cause chain, which is the node's own. undefined if there is none, for
 * example because the connection broke.
 */
export function findRpcFailure(error: unknown): RpcFailure | undefined {
  let found: RpcFailure | undefined;
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    const { code, message, data, details } = current as Error & Record<string, unknown>;
    // A DOMException's legacy code (an aborted fetch has 20) is not a JSON-RPC code.
    if (typeof code === "number" && !(current instanceof DOMException)) {
      found = { code, message: `${message} ${String(details ?? "")}`, data: data ?? found?.data };
    }
    current = current.cause;
  }
  return found;
}

/**
 * Whether a node reports an unknown method. EIP-1474 and JSON-RPC define one code each, and some nodes report it only
 * in the message.
 */
export function isUnknownMethod({ code, message }: RpcFailure): boolean {
  const inWords = /method .*(not (found|supported|available)|does not exist)/i.test(message);
  return code === -32601 || code === -32004 || inWords;
}

/** Whether something failed inside the node, so that the request's effect is unknown. */
export function isInternalError({ code }: RpcFailure): boolean {
  return code === -32603;
}

const solidityErrors = parseAbi(["error Error(string)", "error Panic(uint256)"]);

export type Revert = { data: Hex; sentence: string };

/** The revert that a failed eth_call or eth_estimateGas reports; undefined for any other failure. */
export function findRevert(failure: RpcFailure): Revert | undefined {
  const data = findHex(failure.data);
  // Code 3 means a revert in execution-apis; other nodes report it in the message of a -32000 or -32015 error. A call
  // is also rejected if its gas does not even cover its data, which is also the call's fault and not the network's.
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
