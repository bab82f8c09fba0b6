import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { toSingle, withQueries } from "@/app/[network]/loadPage";
import { TokenHolders } from "@/components/token/TokenLists";
import { toShortHex } from "@/lib/address";
import { holdersQuery } from "@/lib/query/explorerQueries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Token ${toShortHex((await params).address)}` };
}

export default async function TokenPage(props: AddressProps) {
  const { source, address, query, cursor } = await readAddressProps(props);
  const given = toSingle(query.start);
  const start = cursor === undefined ? 0 : given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
  return withQueries(
    [holdersQuery(source, address, cursor)],
    <TokenHolders key={`${address}${cursor}`} address={address} cursor={cursor} start={start} />,
  );
}
