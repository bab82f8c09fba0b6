/**
 * Signs a transfer from an account whose key is public, so that visitors can try eth_sendRawTransaction. On remote
 * networks, the account has no funds, so no transfer is signed.
 */
import type { Network } from "@/lib/networks";
import type { RpcRequest } from "@/lib/rpc/client";
import { testMnemonic } from "@/lib/testMnemonic";

/** The account's index in the public test mnemonic. The demo's own payments use other accounts. */
const senderIndex = 7;

/** Returns a raw transaction that can be sent right away. Undefined on a remote network. */
export async function signTransfer(network: Network, request: RpcRequest): Promise<string | undefined> {
  if (!network.embedded) return undefined;
  const { mnemonicToAccount } = await import("viem/accounts");
  const account = mnemonicToAccount(testMnemonic, { addressIndex: senderIndex });
  const address = account.address.toLowerCase();
  const [nonce, gasPrice] = await Promise.all([
    request({ method: "eth_getTransactionCount", params: [address, "pending"] }),
    request({ method: "eth_gasPrice" }),
  ]);
  return account.signTransaction({
    type: "eip1559",
    chainId: network.chainId,
    nonce: Number(nonce),
    gas: 21_000n,
    maxFeePerGas: 2n * BigInt(gasPrice),
    maxPriorityFeePerGas: BigInt(gasPrice) / 10n,
    to: account.address,
    value: 1n,
  });
}
