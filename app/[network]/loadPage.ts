/**
 * What every page of a network does first on the server: find the network, and fill a query cache through the node's
 * in-process request with what the page will show, so that it is rendered with data and hydrates without asking again.
 */
import { type DehydratedState, dehydrate, type FetchQueryOptions } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import type { PageNetwork } from "@/lib/networks";
import { createQueryClient } from "@/lib/query/client";
import type { Source } from "@/lib/query/source";
import type { RpcRequest } from "@/lib/rpc/client";
import { getNode } from "@/server/node/instance";
import type { Node } from "@/server/node/node";

/** Answers 404 where the node has no network of that name. */
export async function getSource(name: string): Promise<Source> {
  const node = await getNode();
  const found = node.networks.get(name);
  if (found === undefined) notFound();
  return { network: name, request: found.request as RpcRequest };
}

// The factories' option types differ in their data; prefetching needs none of it.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyQuery = FetchQueryOptions<any, any, any, any>;

/** Asks everything at once. A request that fails is left for the page, which asks again and shows the failure. */
export async function prefetch(queries: readonly AnyQuery[]): Promise<DehydratedState> {
  const client = createQueryClient();
  await Promise.all(queries.map((query) => client.prefetchQuery(query)));
  return dehydrate(client);
}

/** A parameter that may stand in the address more than once; the first counts. */
export function toSingle(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

type NetworkNode = NonNullable<ReturnType<Node["networks"]["get"]>>;

/** Only what the type says a page may know. */
export function toPageNetwork({ network, chain, publicChain }: NetworkNode): PageNetwork {
  const { name, label, chainId, nativeCurrency, tokens, contracts, embedded } = network;
  return {
    name,
    label,
    chainId,
    nativeCurrency,
    tokens,
    contracts,
    embedded,
    isLocal: chain !== undefined,
    publicChain,
  };
}

/** The node's networks as a page may know them, the default one first. */
export function listNetworks(node: Node): [PageNetwork, ...PageNetwork[]] {
  return [...node.networks.values()].map(toPageNetwork) as [PageNetwork, ...PageNetwork[]];
}
