/**
 * Asks the node's faucet for test money and waits until it has arrived.
 */
import type { Source } from "@/lib/query/source";

const pollMs = 100;
const timeoutMs = 15_000;

/** Throws what the faucet refuses with, or where the money has not arrived in time. */
export async function fundAndWait(source: Source, address: string): Promise<void> {
  const hashes = Object.values(
    (await source.request({ method: "explorer_fund", params: [address] })) as Record<string, string>,
  );
  const deadline = Date.now() + timeoutMs;
  for (const hash of hashes) {
    while ((await source.request({ method: "eth_getTransactionReceipt", params: [hash] })) === null) {
      if (Date.now() > deadline) throw new Error("The faucet's transactions are not mined yet. Try again in a moment.");
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}
