import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { AddressHoldings } from "@/components/address/AddressHoldings";
import { holdingsQuery, nftsQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("holdings");

export default async function AddressHoldingsPage(props: AddressProps) {
  const { source, address, cursor } = await readAddressProps(props);
  return withQueries(
    [holdingsQuery(source, address, cursor), nftsQuery(source, address)],
    <AddressHoldings key={`${address}${cursor}`} address={address} cursor={cursor} />,
  );
}
