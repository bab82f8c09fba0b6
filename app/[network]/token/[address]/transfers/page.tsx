/**
 * The transfers of a token.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { TokenTransfers } from "@/components/token/TokenLists";
import { tokenTransfersQuery } from "@/lib/query/explorerQueries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Transfers · Token ${(await params).address.slice(0, 10)}` };
}

export default async function TokenTransfersPage(props: AddressProps) {
  const { network, address, cursor } = await readAddressProps(props);
  const state = await prefetch([tokenTransfersQuery(await getSource(network), { token: address }, cursor.cursor)]);
  return (
    <HydrationBoundary state={state}>
      <TokenTransfers key={`${address}${cursor.cursor}`} address={address} {...cursor} />
    </HydrationBoundary>
  );
}
