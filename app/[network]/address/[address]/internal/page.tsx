import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { AddressInternal } from "@/components/address/AddressLists";
import { internalTransfersQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("internal");

export default async function AddressInternalPage(props: AddressProps) {
  const { source, address, cursor } = await readAddressProps(props);
  return withQueries(
    [internalTransfersQuery(source, address, cursor)],
    <AddressInternal key={`${address}${cursor}`} address={address} cursor={cursor} />,
  );
}
