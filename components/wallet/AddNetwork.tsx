/** Asks the connected wallet to add this network. A wallet that already knows the chain ID gets the node's RPC URL. */
"use client";

import { useMutation } from "@tanstack/react-query";
import { useConnection } from "wagmi";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { toAddChainParameter } from "./addChainParameter";
import type { Wallet } from "./guardWallet";
import { toFailureMessage } from "./walletError";

export function AddNetwork() {
  const { connector } = useConnection();
  const { network, origin } = useNetworkContext();
  const add = useMutation({
    mutationFn: async () => {
      const wallet = (await connector?.getProvider()) as Wallet | undefined;
      await wallet?.request({ method: "wallet_addEthereumChain", params: [toAddChainParameter(network, origin)] });
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <button type="button" className="button" aria-disabled={add.isPending} onClick={() => add.mutate()}>
        Add this network to the wallet
      </button>
      <span role="status" className="text-13 text-ink-2">
        {add.error ? toFailureMessage(add.error) : add.isSuccess ? "Network added to your wallet" : ""}
      </span>
    </div>
  );
}
