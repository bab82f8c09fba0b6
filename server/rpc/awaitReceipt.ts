/** Waits for the receipt of a sent transaction (EIP-7966). Fails as soon as the pool drops the transaction. */
import type { Hash, MinedTransaction } from "@/server/ethereum/types";
import { encodeMinedReceipt } from "@/server/rpc/encode";
import { toServerError, toSyncNotReady, toSyncTimeout } from "@/server/rpc/errors";
import type { Ports } from "@/server/rpc/ports";

const defaultTimeoutMs = 2_000;
const maxTimeoutMs = 10_000;

type Source = Pick<Ports, "submission" | "pool">;

/** The default timeout also applies if the given timeout is out of range (EIP-7966). */
export async function awaitReceipt({ submission, pool }: Source, hash: Hash, wanted: number | null | undefined) {
  const timeoutMs = wanted && wanted <= maxTimeoutMs ? wanted : defaultTimeoutMs;
  const mined = await waitForFate({ submission, pool }, hash, timeoutMs);
  if (mined) return encodeMinedReceipt(mined);
  const status = pool.findStatus(hash);
  if (status?.status === "queued") {
    throw toSyncNotReady(
      hash,
      `${status.missingNonce === undefined ? "one of the sender's earlier nonces" : `the sender's nonce ${status.missingNonce}`} is missing`,
    );
  }
  throw toSyncTimeout(hash, timeoutMs);
}

/** Returns the mined transaction, or undefined after the timeout. Throws as soon as the pool drops the transaction. */
async function waitForFate(
  { submission, pool }: Source,
  hash: Hash,
  timeoutMs: number,
): Promise<MinedTransaction | undefined> {
  let stop = () => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    const refuse = (fate: { status: string; reason?: string } | undefined) => {
      if (!fate || !isGivenUp(fate.status)) return;
      reject(toServerError(`transaction ${fate.status}${fate.reason ? `: ${fate.reason}` : ""}`));
    };
    stop = pool.onChange(({ removed }) => refuse(removed.find((entry) => entry.hash === hash)));
    // The transaction may have been dropped before the listener was added.
    refuse(pool.findStatus(hash));
  });
  try {
    return await Promise.race([submission.waitForTransaction(hash, timeoutMs), givenUp]);
  } finally {
    stop();
  }
}

function isGivenUp(status: string): boolean {
  return status === "dropped" || status === "replaced" || status === "expired";
}
