/**
 * The tokens that an address holds.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { AddressHoldings } from "@/components/address/AddressLists";
import { holdingsQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("holdings");

export default async function AddressHoldingsPage(props: AddressProps) {
  const { network, address, cursor } = await readAddressProps(props);
  const state = await prefetch([holdingsQuery(await getSource(network), address, cursor.cursor)]);
  return (
    <HydrationBoundary state={state}>
      <AddressHoldings key={`${address}${cursor.cursor}`} address={address} {...cursor} />
    </HydrationBoundary>
  );
}
