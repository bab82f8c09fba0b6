import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { AddressTransfers } from "@/components/address/AddressLists";
import { tokenTransfersQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("transfers");

export default async function AddressTransfersPage(props: AddressProps) {
  const { source, address, cursor } = await readAddressProps(props);
  return withQueries(
    [tokenTransfersQuery(source, { party: address }, cursor)],
    <AddressTransfers key={`${address}${cursor}`} address={address} cursor={cursor} />,
  );
}
