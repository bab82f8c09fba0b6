"use client";
/** Provides every network page with its context: the network, the query cache and the event stream. */
import { type DehydratedState, HydrationBoundary, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { NetworkProvider } from "@/components/layout/NetworkContext";
import { LiveProvider } from "@/components/live/LiveProvider";
import type { AddressName } from "@/lib/names";
import type { PageNetwork } from "@/lib/networks";
import { createQueryClient } from "@/lib/query/client";

export function Providers({
  network,
  origin,
  renderedAt,
  names,
  state,
  children,
}: {
  network: PageNetwork;
  origin: string;
  renderedAt: number;
  names: readonly AddressName[];
  state: DehydratedState;
  children: ReactNode;
}) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <NetworkProvider network={network} origin={origin} renderedAt={renderedAt} names={names}>
        <HydrationBoundary state={state}>
          <LiveProvider>{children}</LiveProvider>
        </HydrationBoundary>
      </NetworkProvider>
    </QueryClientProvider>
  );
}
