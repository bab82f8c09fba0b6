"use client";
/**
 * Offers this network to the browser's wallet (EIP-3085). Says what happened: no wallet, refused, or added.
 */
import { useState } from "react";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { toHomePath } from "@/lib/links";
import { toRpcPath } from "@/lib/networks";
import { toQuantity } from "@/lib/units";

type Provider = { request: (args: { method: string; params: unknown[] }) => Promise<unknown> };

export function AddToWallet() {
  const { network, origin } = useNetworkContext();
  const [message, setMessage] = useState("");

  async function add() {
    const { ethereum } = window as { ethereum?: Provider };
    if (ethereum === undefined) return setMessage("No wallet detected");
    try {
      const chain = {
        chainId: toQuantity(network.chainId),
        chainName: `Tollscan ${network.label}`,
        nativeCurrency: network.nativeCurrency,
        rpcUrls: [`${origin}${toRpcPath(network)}`],
        blockExplorerUrls: [`${origin}${toHomePath(network.name)}`],
      };
      await ethereum.request({ method: "wallet_addEthereumChain", params: [chain] });
      setMessage("Network added to your wallet");
    } catch (error) {
      setMessage(error instanceof Error ? error.message : "Request rejected in your wallet");
    }
  }

  return (
    <span className="flex flex-wrap items-center gap-3">
      <span role="status" className="text-13 text-ink-2">
        {message}
      </span>
      <button type="button" className="button" onClick={add}>
        Add to wallet
      </button>
    </span>
  );
}
