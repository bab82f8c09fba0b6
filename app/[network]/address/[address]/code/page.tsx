/**
 * The code of an address.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { AddressCode } from "@/components/address/AddressCode";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

export const generateMetadata = toAddressMetadata("code");

export default async function AddressCodePage(props: AddressProps) {
  const { network, address } = await readAddressProps(props);
  const source = await getSource(network);
  const state = await prefetch([codeQuery(source, address), selectorsQuery(source, address)]);
  return (
    <HydrationBoundary state={state}>
      <AddressCode address={address} />
    </HydrationBoundary>
  );
}
