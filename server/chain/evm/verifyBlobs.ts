/**
 * Checks a blob transaction's sidecar as a job: the KZG library computes for seconds, so it never runs in the thread
 * that answers requests.
 */
import { decodeNetworkTransaction } from "@/server/chain/codec/networkTransaction";
import { TransactionRefusedError } from "@/server/chain/errors";
import type { VerifyBlobs, VerifyBlobsDone } from "@/server/chain/evm/executor";
import { verifyBlobSidecar } from "@/server/chain/evm/kzg";

export async function executeVerifyBlobs(job: VerifyBlobs): Promise<VerifyBlobsDone> {
  const { transaction, sidecar } = decodeNetworkTransaction(job.raw, job.from);
  if (!sidecar) return { kind: "verifyBlobs", refusal: "it comes without its blobs" };
  try {
    await verifyBlobSidecar(transaction, sidecar, job.spec, job.at);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    return { kind: "verifyBlobs", refusal: error.detail ?? error.message };
  }
  return { kind: "verifyBlobs" };
}
