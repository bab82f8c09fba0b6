/** What signed payments in a token depend on. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { TokenSignaturesLoader } from "@/components/token/TokenSignaturesLoader";
import { selectors } from "@/components/token/tokenSelectors";
import { selectorsQuery, viewQuery } from "@/lib/query/explorerQueries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Signatures · Token ${(await params).address.slice(0, 10)}` };
}

export default async function TokenSignaturesPage(props: AddressProps) {
  const { network, address } = await readAddressProps(props);
  const source = await getSource(network);
  const state = await prefetch([
    viewQuery(source, address, selectors.version),
    viewQuery(source, address, selectors.domainSeparator),
    selectorsQuery(source, address),
  ]);
  return (
    <HydrationBoundary state={state}>
      <TokenSignaturesLoader address={address} />
    </HydrationBoundary>
  );
}
