import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { toSingle, withQueries } from "@/app/[network]/loadPage";
import { AddressHistory } from "@/components/address/AddressHistory";
import { directions } from "@/components/address/addressTabs";
import { addressHistoryQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("transactions");

export default async function AddressPage(props: AddressProps) {
  const { source, address, query, cursor } = await readAddressProps(props);
  const wanted = toSingle(query.direction);
  const direction = directions.find((each) => each === wanted);
  return withQueries(
    [addressHistoryQuery(source, address, cursor, direction)],
    <AddressHistory key={`${address}${direction}${cursor}`} address={address} direction={direction} cursor={cursor} />,
  );
}
