/** Sends signed transactions, with or without waiting for the receipt (EIP-7966). */

import { toBytes } from "@/server/ethereum/codec/bytes";
import type { Hash, MinedTransaction } from "@/server/ethereum/types";
import { awaitBlock } from "@/server/rpc/awaitBlock";
import { encodeMinedReceipt } from "@/server/rpc/encode";
import { toServerError, toSyncNotReady, toSyncTimeout } from "@/server/rpc/errors";
import { handlers, type Ports } from "@/server/rpc/ports";

const defaultTimeoutMs = 2_000;
const maxTimeoutMs = 10_000;

export const submitHandlers = {
  ...handlers(["submission", "calls"], {
    eth_sendRawTransaction: async (context, raw) =>
      awaitBlock(context, await context.submission.submit(toBytes(raw), { isAwaited: true })),
  }),

  ...handlers(["submission", "pool"], {
    /** If the timeout is out of range, the default applies (EIP-7966). */
    eth_sendRawTransactionSync: async ({ submission, pool }, raw, wanted) => {
      const timeoutMs = wanted && wanted <= maxTimeoutMs ? wanted : defaultTimeoutMs;
      const hash = await submission.submit(toBytes(raw));
      const mined = await waitForFate({ submission, pool }, hash, timeoutMs);
      if (mined) return encodeMinedReceipt(mined);
      const status = pool.findStatus(hash);
      if (status?.status === "queued") {
        throw toSyncNotReady(
          hash,
          `${status.missingNonce === undefined ? "an earlier nonce" : `nonce ${status.missingNonce}`} of the sender is missing`,
        );
      }
      throw toSyncTimeout(hash, timeoutMs);
    },
  }),
};

/** Returns the mined transaction, or undefined after the timeout. Throws as soon as the pool drops the transaction. */
async function waitForFate(
  { submission, pool }: Pick<Ports, "submission" | "pool">,
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
