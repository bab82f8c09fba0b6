"use client";
/** Offers this network to the browser's wallet (EIP-3085). Reports the result: no wallet, refused, or added. */
import { useState } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toAddChainParameter } from "@/components/wallet/addChainParameter";
import { guardWallet, type Wallet } from "@/components/wallet/guardWallet";
import { isMainnetSimulation } from "@/lib/networks";

export function AddToWallet() {
  const { network, origin } = useNetworkContext();
  const [message, setMessage] = useState("");

  async function add() {
    const { ethereum } = window as { ethereum?: Wallet };
    if (ethereum === undefined) return setMessage("No wallet detected");
    try {
      await guardWallet(ethereum, [network]).request({
        method: "wallet_addEthereumChain",
        params: [toAddChainParameter(network, origin)],
      });
      setMessage("Network added to your wallet");
    } catch (error) {
      setMessage(error instanceof Error ? error.message : "Request rejected in your wallet");
    }
  }

  // On a mainnet simulation, the wallet would use our endpoint for the real network.
  if (isMainnetSimulation(network)) return null;
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
