/**
 * The storage of an address, at the head or at a block.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { AddressStorage } from "@/components/address/AddressStorage";
import { storageQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("storage");

export default async function AddressStoragePage(props: AddressProps) {
  const { network, address, query, cursor } = await readAddressProps(props);
  const given = toSingle(query.block);
  const block = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
  const state = await prefetch([storageQuery(await getSource(network), address, block, cursor.cursor)]);
  return (
    <HydrationBoundary state={state}>
      <AddressStorage
        key={`${address}${block}${cursor.cursor}`}
        address={address}
        {...(block === undefined ? {} : { block })}
        {...cursor}
      />
    </HydrationBoundary>
  );
}
