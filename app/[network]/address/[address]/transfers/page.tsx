/**
 * Token transfers that an address sent or received.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { AddressTransfers } from "@/components/address/AddressLists";
import { tokenTransfersQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("transfers");

export default async function AddressTransfersPage(props: AddressProps) {
  const { network, address, cursor } = await readAddressProps(props);
  const state = await prefetch([tokenTransfersQuery(await getSource(network), { party: address }, cursor.cursor)]);
  return (
    <HydrationBoundary state={state}>
      <AddressTransfers key={`${address}${cursor.cursor}`} address={address} {...cursor} />
    </HydrationBoundary>
  );
}
