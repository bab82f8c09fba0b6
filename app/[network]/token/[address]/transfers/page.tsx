import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { TokenTransfers } from "@/components/token/TokenLists";
import { toShortHex } from "@/lib/address";
import { tokenTransfersQuery } from "@/lib/query/explorerQueries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Transfers · Token ${toShortHex((await params).address)}` };
}

export default async function TokenTransfersPage(props: AddressProps) {
  const { source, address, cursor } = await readAddressProps(props);
  return withQueries(
    [tokenTransfersQuery(source, { token: address }, cursor)],
    <TokenTransfers key={`${address}${cursor}`} address={address} cursor={cursor} />,
  );
}
