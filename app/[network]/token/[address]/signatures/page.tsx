/**
 * The page about paying with a token by signature: the token's EIP-712 domain, and which kinds of signatures it
 * supports.
 */
import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { TokenSignaturesLoader } from "@/components/token/TokenSignaturesLoader";
import { selectors } from "@/components/token/tokenSelectors";
import { toShortHex } from "@/lib/address";
import { selectorsQuery, viewQuery } from "@/lib/query/explorerQueries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Signatures · Token ${toShortHex((await params).address)}` };
}

export default async function TokenSignaturesPage(props: AddressProps) {
  const { source, address } = await readAddressProps(props);
  return withQueries(
    [
      viewQuery(source, address, selectors.version),
      viewQuery(source, address, selectors.domainSeparator),
      selectorsQuery(source, address),
    ],
    <TokenSignaturesLoader address={address} />,
  );
}
