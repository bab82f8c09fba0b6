/**
 * A job that recovers the senders of transactions. If a transaction can't be decoded, the job returns no sender for it,
 * and the calling thread reports the error.
 */
import { decodeNetworkTransaction } from "@/server/ethereum/codec/networkTransaction";
import { findErrorCode } from "@/server/ethereum/errors";
import type { Address } from "@/server/ethereum/types";
import type { RecoverSenders, RecoverSendersDone } from "@/server/ports/executor";

export async function executeRecoverSenders({ raws }: RecoverSenders): Promise<RecoverSendersDone> {
  return { kind: "recoverSenders", senders: raws.map(findSender) };
}

function findSender(raw: Uint8Array): Address | undefined {
  try {
    return decodeNetworkTransaction(raw).transaction.from;
  } catch (error) {
    if (findErrorCode(error) === "MALFORMED_TRANSACTION") return undefined;
    throw error;
  }
}
