/** A network's start page: search, readings, latest blocks and transactions, and how to connect. */
import type { Metadata } from "next";
import { getSource, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { HomeScreen } from "@/components/home/HomeScreen";
import { blocksQuery, gasPriceQuery, homeRows, pendingTransactionsQuery, transactionsQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const source = await getSource((await params).network);
  const { network, isLocal } = (await getNode()).networks.get(source.network)!;
  return { title: isLocal ? `${network.label} (local simulation)` : network.label };
}

export default async function HomePage({ params }: PageProps) {
  const source = await getSource((await params).network);
  const { network } = (await getNode()).networks.get(source.network)!;
  return withQueries(
    [
      blocksQuery(source, undefined, homeRows),
      transactionsQuery(source, undefined, homeRows),
      gasPriceQuery(source),
      pendingTransactionsQuery(source),
    ],
    <HomeScreen funded={network.funded.map(({ address }) => address)} />,
  );
}
