/**
 * Recovers the senders of transactions as a job. What cannot be decoded has none: the thread that asked decodes it
 * again and says what is wrong.
 */
import { decodeNetworkTransaction } from "@/server/chain/codec/networkTransaction";
import { MalformedTransactionError } from "@/server/chain/errors";
import type { RecoverSenders, RecoverSendersDone } from "@/server/chain/evm/executor";
import type { Address } from "@/server/chain/types";

export async function executeRecoverSenders({ raws }: RecoverSenders): Promise<RecoverSendersDone> {
  return { kind: "recoverSenders", senders: raws.map(findSender) };
}

function findSender(raw: Uint8Array): Address | undefined {
  try {
    return decodeNetworkTransaction(raw).transaction.from;
  } catch (error) {
    if (error instanceof MalformedTransactionError) return undefined;
    throw error;
  }
}
