/** One token (EIP-3091): what its contract reports, and its tabs. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getAddress } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { TokenFrame } from "@/components/token/TokenFrame";
import { selectors } from "@/components/token/tokenSelectors";
import { tokenQuery, viewQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

export default async function TokenLayout({
  params,
  children,
}: {
  params: Promise<{ network: string; address: string }>;
  children: ReactNode;
}) {
  const { network, address: segment } = await params;
  const source = await getSource(network);
  const address = getAddress(segment);
  const state = await prefetch([
    tokenQuery(source, address),
    codeQuery(source, address),
    viewQuery(source, address, selectors.totalSupply, ["head"]),
    viewQuery(source, address, selectors.name),
    viewQuery(source, address, selectors.symbol),
    viewQuery(source, address, selectors.decimals),
  ]);
  return (
    <HydrationBoundary state={state}>
      <TokenFrame key={address} address={address}>
        {children}
      </TokenFrame>
    </HydrationBoundary>
  );
}
