import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { toSingle, withQueries } from "@/app/[network]/loadPage";
import { AddressInternal } from "@/components/address/AddressInternal";
import { readSide } from "@/components/address/transferFilter";
import { internalTransfersQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("internal");

export default async function AddressInternalPage(props: AddressProps) {
  const { source, address, query, cursor } = await readAddressProps(props);
  const direction = readSide(toSingle(query.direction));
  return withQueries(
    [internalTransfersQuery(source, address, cursor, direction)],
    <AddressInternal key={`${address}${direction}${cursor}`} address={address} direction={direction} cursor={cursor} />,
  );
}
