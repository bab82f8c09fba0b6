/** Waits for the block of a sent transaction, so that a caller can read its receipt right after the response. */
import type { Hash } from "@/server/ethereum/types";
import type { Caller, Ports } from "@/server/rpc/ports";

/**
 * Returns the hash. On a chain that mines at once, the transaction's block is committed by then unless the next block
 * can't include the transaction.
 */
export async function awaitBlock(
  { submission, caller }: Pick<Ports, "submission"> & { caller: Caller },
  hash: Hash,
): Promise<Hash> {
  const wait = () => submission.awaitBlock(hash);
  await (caller.pause ? caller.pause(wait) : wait());
  return hash;
}
