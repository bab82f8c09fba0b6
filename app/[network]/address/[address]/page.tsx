/**
 * One address (EIP-3091).
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { AddressScreen } from "@/components/explorer/AddressScreen";
import { findIdentifier } from "@/lib/links";
import { t } from "@/lib/messages/translate";
import { addressTransactionsQuery, balanceQuery, codeQuery, nonceQuery, tokenBalanceQuery } from "@/lib/query/queries";
import { getNode } from "@/server/instance";

type Props = {
  params: Promise<{ network: string; address: string }>;
  searchParams: Promise<{ after?: string | string[] }>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `${t("address.facts")} ${(await params).address.slice(0, 10)}` };
}

export default async function AddressPage({ params, searchParams }: Props) {
  const { network, address } = await params;
  const source = await getSource(network);
  const identifier = findIdentifier(decodeURIComponent(address));
  if (identifier?.kind !== "address") notFound();
  const cursor = toSingle((await searchParams).after);
  const { tokens } = (await getNode()).networks.get(network)!.network;
  const state = await prefetch([
    addressTransactionsQuery(source, identifier.address, cursor),
    balanceQuery(source, identifier.address),
    nonceQuery(source, identifier.address),
    codeQuery(source, identifier.address),
    ...tokens.map((token) => tokenBalanceQuery(source, token.address, identifier.address)),
  ]);
  return (
    <HydrationBoundary state={state}>
      <AddressScreen
        key={`${identifier.address}${cursor}`}
        address={identifier.address}
        {...(cursor === undefined ? {} : { cursor })}
      />
    </HydrationBoundary>
  );
}
