/** The layout shared by a token's pages (EIP-3091): the contract's metadata, and the tabs. */
import type { ReactNode } from "react";
import { type AddressProps, readAddress } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { TokenFrame } from "@/components/token/TokenFrame";
import { selectors } from "@/components/token/tokenSelectors";
import { tokenQuery, viewQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

type Props = Pick<AddressProps, "params"> & { children: ReactNode };

export default async function TokenLayout({ params, children }: Props) {
  const { source, address } = await readAddress({ params });
  return withQueries(
    [
      tokenQuery(source, address),
      codeQuery(source, address),
      viewQuery(source, address, selectors.totalSupply, ["head"]),
      viewQuery(source, address, selectors.name),
      viewQuery(source, address, selectors.symbol),
      viewQuery(source, address, selectors.decimals),
    ],
    <TokenFrame key={address} address={address}>
      {children}
    </TokenFrame>,
  );
}
