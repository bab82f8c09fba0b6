/** Asks the node's faucet for test money and waits until it arrives. */
import { pause } from "@/lib/pause";
import type { Source } from "@/lib/query/source";
import type { RpcResult } from "@/lib/rpc/methods";

const pollMs = 100;
const timeoutMs = 15_000;

/** Thrown if the money doesn't arrive in time. The message is for the user. */
export class FundingError extends Error {
  override name = "FundingError";
}

/**
 * Resolves to the hashes of the funding transactions. Rejects with the faucet's error, or with FundingError if the
 * money doesn't arrive in time.
 */
export async function fundAndWait(source: Source, address: string): Promise<RpcResult<"explorer_fund">> {
  const sent = await source.request({ method: "explorer_fund", params: [address as `0x${string}`] });
  const deadline = Date.now() + timeoutMs;
  for (const hash of [sent.nativeTransaction, sent.tokenTransaction]) {
    for (;;) {
      const receipt = await source.request({ method: "eth_getTransactionReceipt", params: [hash] });
      if (receipt?.status === "0x0")
        throw new FundingError(`The faucet’s transaction failed. Search for ${hash} to see why.`);
      if (receipt) break;
      if (Date.now() > deadline)
        throw new FundingError("The faucet’s transactions are not mined yet. Try again in a moment.");
      await pause(pollMs);
    }
  }
  return sent;
}
