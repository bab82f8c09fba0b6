/**
 * Gives its children wagmi. Every tree that uses a wallet wraps itself in this; they share one configuration, and so
 * one connection.
 */
"use client";

import { type ReactNode, useEffect } from "react";
import { WagmiProvider } from "wagmi";
import type { Network } from "@/lib/networks";
import { getWagmiConfig } from "./wagmiConfig";
import { announceWalletUse } from "./walletUse";

export function WalletProvider({
  networks,
  children,
}: {
  networks: readonly [Network, ...Network[]];
  children: ReactNode;
}) {
  useEffect(announceWalletUse, []);
  return <WagmiProvider config={getWagmiConfig(networks)}>{children}</WagmiProvider>;
}
