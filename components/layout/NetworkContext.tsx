"use client";
/**
 * The page's network, how to query it, and the names of its addresses. Every component that links to or formats network
 * data gets these from here.
 */
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useLocalLabels } from "@/components/labels/localLabels";
import { type AddressName, toLabelNames, toNameTable } from "@/lib/names";
import { type PageNetwork, toRpcPath } from "@/lib/networks";
import type { Source } from "@/lib/query/source";
import { createRpcRequest } from "@/lib/rpc/client";

export type NetworkContextValue = {
  network: PageNetwork;
  source: Source;
  /** The scheme and host of the page's URL: "http://localhost:3000". */
  origin: string;
  /** The server's clock when the page was rendered, in seconds since the epoch. */
  renderedAt: number;
  /** The names of addresses, keyed by lowercase address. The visitor's own labels replace other names. */
  names: ReadonlyMap<string, AddressName>;
};

const NetworkContext = createContext<NetworkContextValue | undefined>(undefined);

export function NetworkProvider({
  network,
  origin,
  renderedAt,
  names,
  children,
}: {
  network: PageNetwork;
  origin: string;
  renderedAt: number;
  names: readonly AddressName[];
  children: ReactNode;
}) {
  const labels = useLocalLabels();
  const source = useMemo(() => ({ network: network.name, request: createRpcRequest(toRpcPath(network)) }), [network]);
  const table = useMemo(() => toNameTable([...names, ...toLabelNames(labels)]), [names, labels]);
  const value = useMemo(
    () => ({ network, source, origin, renderedAt, names: table }),
    [network, source, origin, renderedAt, table],
  );
  return <NetworkContext value={value}>{children}</NetworkContext>;
}

export function useNetworkContext(): NetworkContextValue {
  const value = useContext(NetworkContext);
  if (value === undefined) throw new Error("NetworkProvider is missing.");
  return value;
}

export function useNetwork(): PageNetwork {
  return useNetworkContext().network;
}

/** The name of an address on this network. */
export function useAddressName(address: string): AddressName | undefined {
  return useNetworkContext().names.get(address.toLowerCase());
}

export function useSource(): Source {
  return useNetworkContext().source;
}
