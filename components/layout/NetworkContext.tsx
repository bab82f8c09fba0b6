"use client";
/** The network that a page is about, and how to query it. Every component that links or formats reads it from here. */
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { type PageNetwork, toRpcPath } from "@/lib/networks";
import type { Source } from "@/lib/query/source";
import { createRpcRequest } from "@/lib/rpc/client";

export type NetworkContextValue = {
  network: PageNetwork;
  source: Source;
  /** Scheme and host that the page was requested from: "http://localhost:3000". */
  origin: string;
  /** The server's clock when the page was rendered, in seconds since the epoch. */
  renderedAt: number;
};

const NetworkContext = createContext<NetworkContextValue | undefined>(undefined);

export function NetworkProvider({
  network,
  origin,
  renderedAt,
  children,
}: {
  network: PageNetwork;
  origin: string;
  renderedAt: number;
  children: ReactNode;
}) {
  const value = useMemo(() => {
    const source = { network: network.name, request: createRpcRequest(toRpcPath(network)) };
    return { network, source, origin, renderedAt };
  }, [network, origin, renderedAt]);
  return <NetworkContext value={value}>{children}</NetworkContext>;
}

export function useNetworkContext(): NetworkContextValue {
  const value = useContext(NetworkContext);
  if (value === undefined) throw new Error("A chain component was used outside NetworkProvider.");
  return value;
}

export function useNetwork(): PageNetwork {
  return useNetworkContext().network;
}

export function useSource(): Source {
  return useNetworkContext().source;
}
