/**
 * Sends signed bytes to a network and interprets its response. Nodes report the same outcome with different error codes
 * and messages; only this file interprets them.
 */
import type { Hex } from "@/lib/x402/types";
import { findRpcFailure, isInternalError, isUnknownMethod } from "@/server/x402/reads/jsonRpcError";
import type { Reader, WireReceipt } from "@/server/x402/reads/reader";

type Broadcaster = {
  reader: Pick<Reader, "request">;
  /** False once the network has reported that it doesn't support eth_sendRawTransactionSync. */
  hasSyncSend: boolean;
};

/** Some nodes report a rejected transaction as an internal error, so its message has to be checked. */
const refusalWords = /insufficient funds|intrinsic gas|underpriced|gas limit|pool is full|invalid|not an eoa|exceeds/i;

export type SendAnswer =
  | { kind: "mined"; receipt: WireReceipt }
  | { kind: "accepted" }
  /** The transaction may or may not have arrived. */
  | { kind: "silence" }
  | { kind: "nonceTaken"; words: string }
  | { kind: "nonceGap" }
  | { kind: "refused"; words: string };

/** Sends signed bytes once. */
export async function broadcast(sender: Broadcaster, raw: Hex): Promise<SendAnswer> {
  const method = sender.hasSyncSend ? "eth_sendRawTransactionSync" : "eth_sendRawTransaction";
  try {
    const answer = await sender.reader.request({ method, params: [raw] });
    return isReceipt(answer) ? { kind: "mined", receipt: answer } : { kind: "accepted" };
  } catch (error) {
    const failure = findRpcFailure(error);
    // The transaction may have arrived before the connection broke.
    if (!failure) return { kind: "silence" };
    const { code, message } = failure;
    if (isUnknownMethod(failure) && method === "eth_sendRawTransactionSync") {
      sender.hasSyncSend = false;
      return broadcast(sender, raw);
    }
    // EIP-7966: 4 is a timeout (the transaction is in the pool); 5 and 6 mean that an earlier nonce is missing.
    if (code === 4 || /already known|already imported|known transaction/i.test(message)) return { kind: "accepted" };
    if (code === 5 || code === 6 || /nonce too high|nonce gap|not ready/i.test(message)) return { kind: "nonceGap" };
    if (/nonce too low|nonce is too low|already been used|replacement transaction/i.test(message)) {
      return { kind: "nonceTaken", words: message };
    }
    // The node failed, possibly after it had accepted the transaction.
    if (isInternalError(failure) && !refusalWords.test(message)) return { kind: "silence" };
    return { kind: "refused", words: message };
  }
}

function isReceipt(answer: unknown): answer is WireReceipt {
  return typeof answer === "object" && answer !== null && "transactionHash" in answer && "logs" in answer;
}
