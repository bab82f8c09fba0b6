/**
 * A job that verifies the sidecar of a blob transaction. Each blob takes tens of milliseconds, which is too long for
 * the thread that serves requests.
 */
import { decodeNetworkTransaction } from "@/server/ethereum/codec/networkTransaction";
import { TransactionRefusedError } from "@/server/ethereum/errors";
import { verifyBlobSidecar } from "@/server/evm/kzg";
import type { VerifyBlobs, VerifyBlobsDone } from "@/server/ports/executor";

export async function executeVerifyBlobs(job: VerifyBlobs): Promise<VerifyBlobsDone> {
  const { transaction, sidecar } = decodeNetworkTransaction(job.raw, job.from);
  if (!sidecar) return { kind: "verifyBlobs", refusal: "its blobs are missing" };
  try {
    await verifyBlobSidecar(transaction, sidecar);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    return { kind: "verifyBlobs", refusal: error.detail ?? error.message };
  }
  return { kind: "verifyBlobs" };
}
