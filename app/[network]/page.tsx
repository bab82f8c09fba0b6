/** A network's start page: search, readings, latest blocks and transactions, and how to connect. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { HomeScreen } from "@/components/home/HomeScreen";
import { blocksQuery, gasPriceQuery, homeRows, pendingTransactionsQuery, transactionsQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

export async function generateMetadata({ params }: { params: Promise<{ network: string }> }): Promise<Metadata> {
  const source = await getSource((await params).network);
  const { network, chain } = (await getNode()).networks.get(source.network)!;
  return { title: chain ? `${network.label} (local simulation)` : network.label };
}

export default async function HomePage({ params }: { params: Promise<{ network: string }> }) {
  const source = await getSource((await params).network);
  const [node, state] = await Promise.all([
    getNode(),
    prefetch([
      blocksQuery(source, undefined, homeRows),
      transactionsQuery(source, undefined, homeRows),
      gasPriceQuery(source),
      pendingTransactionsQuery(source),
    ]),
  ]);
  const funded = node.networks.get(source.network)!.network.funded.map(({ address }) => address);
  return (
    <HydrationBoundary state={state}>
      <HomeScreen funded={funded} />
    </HydrationBoundary>
  );
}
