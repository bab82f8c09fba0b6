/**
 * Waits for the block that includes a sent transaction, so that a caller can read the receipt right after the response.
 */
import { traceTransactionByHash } from "@/server/chain/traces";
import type { Hash } from "@/server/ethereum/types";
import { toCallFailure } from "@/server/rpc/errors";
import type { Caller, Ports, ServedNetwork } from "@/server/rpc/ports";

type Context = Pick<Ports, "submission" | "calls"> & Pick<ServedNetwork, "network"> & { caller: Caller };

/**
 * Returns the hash. If the chain mines automatically and the next block can include the transaction, waits for that
 * block first. If the network behaves like Hardhat's node, throws the error of a failed transaction.
 */
export async function awaitBlock({ submission, calls, network, caller }: Context, hash: Hash): Promise<Hash> {
  const wait = () => submission.awaitBlock(hash);
  await (caller.pause ? caller.pause(wait) : wait());
  if (network.settings.hardhat) await assertSuccess(calls, hash);
  return hash;
}

async function assertSuccess(calls: Ports["calls"], hash: Hash): Promise<void> {
  const mined = await calls.store.findTransaction(hash);
  if (mined?.receipt.status !== 0) return;
  const outcome = await traceTransactionByHash(calls, hash, { tracer: "outcome" });
  if (outcome) throw toCallFailure(JSON.parse(outcome.trace.json), { hardhat: true });
}
