/** Provides wagmi to its children. All providers share one configuration and one connection, which is restored once. */
"use client";

import { type ReactNode, useEffect, useLayoutEffect } from "react";
import { useConnection, useSwitchChain, WagmiContext } from "wagmi";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import type { PageNetwork } from "@/lib/networks";
import { burnerConnectorId } from "./burnerConnector";
import { getWagmiConfig, startWagmi } from "./wagmiConfig";
import { announceWalletUse } from "./walletUse";

export function WalletProvider({
  networks,
  children,
}: {
  networks: readonly [PageNetwork, ...PageNetwork[]];
  children: ReactNode;
}) {
  const config = getWagmiConfig(networks);
  useEffect(announceWalletUse, []);
  // Runs before the first paint, so that the page doesn't offer to connect while a connection is being restored.
  useLayoutEffect(() => startWagmi(config), [config]);
  return (
    <WagmiContext value={config}>
      <BurnerFollower />
      {children}
    </WagmiContext>
  );
}

/**
 * Switches a burner to the page's network. The user isn't asked, because a burner works on every chain that this node
 * runs.
 */
function BurnerFollower() {
  const { chainId, connector, status } = useConnection();
  const { network } = useNetworkContext();
  const { mutate: switchChain } = useSwitchChain();
  const mustFollow =
    status === "connected" && connector.id === burnerConnectorId && network.embedded && chainId !== network.chainId;
  useEffect(() => {
    if (mustFollow) switchChain({ chainId: network.chainId });
  }, [mustFollow, network.chainId, switchChain]);
  return null;
}
