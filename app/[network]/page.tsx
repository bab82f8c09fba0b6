/**
 * A network's start page: a payment to try, search, key metrics, latest payments, blocks and transactions, and how to
 * connect.
 */
import type { Metadata } from "next";
import { getOrigin, getSource, listNetworks, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { findCall } from "@/app/[network]/playground/findOffer";
import { HomeScreen } from "@/components/home/HomeScreen";
import type { Demo } from "@/components/home/PaymentDemo";
import { toHomePath } from "@/lib/links";
import {
  blocksQuery,
  gasPriceQuery,
  homeRows,
  paymentsQuery,
  pendingTransactionsQuery,
  transactionsQuery,
} from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";
import type { Node } from "@/server/node/node";
import "@/components/playground/styles";

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const source = await getSource((await params).network);
  const { network, isLocal } = (await getNode()).networks.get(source.network)!;
  return {
    title: isLocal ? `${network.label} (local simulation)` : network.label,
    // Our own server also shows this page at "/".
    alternates: { canonical: `${await getOrigin()}${toHomePath(network.name)}` },
  };
}

export default async function HomePage({ params }: PageProps) {
  const source = await getSource((await params).network);
  const node = await getNode();
  const { network } = node.networks.get(source.network)!;
  return withQueries(
    [
      blocksQuery(source, undefined, homeRows),
      transactionsQuery(source, undefined, homeRows),
      gasPriceQuery(source),
      pendingTransactionsQuery(source),
      ...(network.tokens.length > 0 ? [paymentsQuery(source, undefined, homeRows)] : []),
    ],
    <HomeScreen demo={findDemo(node, network.name, await getOrigin())} />,
  );
}

/**
 * The payment offered as a demo. Undefined if there is none on this network, for example because nothing is for sale or
 * the faucet doesn't serve this visitor.
 */
function findDemo(node: Node, name: string, origin: string): Demo | undefined {
  const { network } = node.networks.get(name)!;
  // Pages can't see the client's IP address, so this check assumes a loopback address. The faucet does see the client's
  // address, and rejects remote clients that send a loopback host.
  const mayFund = node.access.mayControl({ host: origin.slice(origin.indexOf("//") + 2), origin }, "127.0.0.1");
  const call = findCall(node, name, undefined);
  const [item] = node.listResources(name);
  if (!network.embedded || node.config.isTemporary || !mayFund || !call || !item) return undefined;
  return { call, title: item.title, price: item.price.amount, networks: listNetworks(node) };
}
