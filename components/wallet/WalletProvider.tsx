/**
 * Gives its children wagmi. Every tree that uses a wallet wraps itself in this; they share one configuration, and so
 * one connection, which is taken up once.
 */
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
  // Before the first paint, so that a page does not offer what an earlier connection makes moot.
  useLayoutEffect(() => startWagmi(config), [config]);
  return (
    <WagmiContext value={config}>
      <BurnerFollower />
      {children}
    </WagmiContext>
  );
}

/** A burner is on every chain of this node at once: it needs no asking to follow the page. */
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
