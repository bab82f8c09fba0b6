import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { toSingle, withQueries } from "@/app/[network]/loadPage";
import { AddressTransfers } from "@/components/address/AddressTransfers";
import { readTransferFilter } from "@/components/address/transferFilter";
import { toFilteredPath } from "@/lib/links";
import { tokenTransfersQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("transfers");

export default async function AddressTransfersPage(props: AddressProps) {
  const { source, address, query, cursor } = await readAddressProps(props);
  const filter = readTransferFilter({ token: toSingle(query.token), direction: toSingle(query.direction) });
  return withQueries(
    [tokenTransfersQuery(source, { party: address, ...filter }, cursor)],
    <AddressTransfers
      key={`${toFilteredPath(address, filter)}${cursor}`}
      address={address}
      filter={filter}
      cursor={cursor}
    />,
  );
}
