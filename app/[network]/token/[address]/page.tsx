import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { TokenHolders } from "@/components/token/TokenLists";
import { toShortHex } from "@/lib/address";
import { holdersQuery } from "@/lib/query/explorerQueries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Token ${toShortHex((await params).address)}` };
}

export default async function TokenPage(props: AddressProps) {
  const { source, address, cursor } = await readAddressProps(props);
  return withQueries(
    [holdersQuery(source, address, cursor)],
    <TokenHolders key={`${address}${cursor}`} address={address} cursor={cursor} />,
  );
}
