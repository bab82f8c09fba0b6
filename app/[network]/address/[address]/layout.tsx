/**
 * One address (EIP-3091): its facts and the way to its views.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getAddress } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { AddressFrame } from "@/components/address/AddressFrame";
import { beaconSlot, implementationSlot } from "@/components/address/proxy";
import { addressQuery, storageSlotQuery, tokenQuery } from "@/lib/query/explorerQueries";
import { balanceQuery, codeQuery, nonceQuery, tokenBalanceQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

export default async function AddressLayout({
  params,
  children,
}: {
  params: Promise<{ network: string; address: string }>;
  children: ReactNode;
}) {
  const { network, address: segment } = await params;
  const source = await getSource(network);
  const address = getAddress(segment);
  const { tokens } = (await getNode()).networks.get(network)!.network;
  const state = await prefetch([
    addressQuery(source, address),
    balanceQuery(source, address),
    nonceQuery(source, address),
    codeQuery(source, address),
    tokenQuery(source, address),
    storageSlotQuery(source, address, implementationSlot),
    storageSlotQuery(source, address, beaconSlot),
    ...tokens.map((token) => tokenBalanceQuery(source, token.address, address)),
  ]);
  return (
    <HydrationBoundary state={state}>
      <AddressFrame key={address} address={address}>
        {children}
      </AddressFrame>
    </HydrationBoundary>
  );
}
