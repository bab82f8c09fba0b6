/** Internal transfers to or from an address. */
import { HydrationBoundary } from "@tanstack/react-query";
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { AddressInternal } from "@/components/address/AddressLists";
import { internalTransfersQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("internal");

export default async function AddressInternalPage(props: AddressProps) {
  const { network, address, cursor } = await readAddressProps(props);
  const state = await prefetch([internalTransfersQuery(await getSource(network), address, cursor.cursor)]);
  return (
    <HydrationBoundary state={state}>
      <AddressInternal key={`${address}${cursor.cursor}`} address={address} {...cursor} />
    </HydrationBoundary>
  );
}
