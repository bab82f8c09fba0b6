/**
 * The holders of a token.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { TokenHolders } from "@/components/token/TokenLists";
import { holdersQuery } from "@/lib/query/explorerQueries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Token ${(await params).address.slice(0, 10)}` };
}

export default async function TokenPage(props: AddressProps) {
  const { network, address, cursor } = await readAddressProps(props);
  const state = await prefetch([holdersQuery(await getSource(network), address, cursor.cursor)]);
  return (
    <HydrationBoundary state={state}>
      <TokenHolders key={`${address}${cursor.cursor}`} address={address} {...cursor} />
    </HydrationBoundary>
  );
}
