/** Creates transfers from the test network's funded accounts, signed without calling the node. */
import { privateKeyToAccount } from "viem/accounts";
import { getDevAccount } from "@/server/config/devAccounts";

export const recipient = `0x${"cd".repeat(20)}` as const;

/** Creates a signed raw transfer. */
export function signTransfer(index: number, nonce: number): Promise<`0x${string}`> {
  return privateKeyToAccount(getDevAccount(index).privateKey).signTransaction({
    type: "eip1559",
    chainId: 10143,
    nonce,
    to: recipient,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
}
