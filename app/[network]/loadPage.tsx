/**
 * What every network page does first on the server: finds the network and runs the page's queries in process. The
 * browser then hydrates the page without requesting the data again.
 */
import {
  type DehydratedState,
  dehydrate,
  type FetchQueryOptions,
  HydrationBoundary,
  type QueryClient,
} from "@tanstack/react-query";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import type { NetworkChoice, PageNetwork } from "@/lib/networks";
import { createQueryClient } from "@/lib/query/client";
import { withServerTimes } from "@/lib/query/requestTimes";
import type { Source } from "@/lib/query/source";
import type { RpcRequest } from "@/lib/rpc/client";
import { getNode } from "@/server/node/instance";
import type { Node } from "@/server/node/node";

/** Returns 404 if the node has no network with that name. */
export async function getSource(name: string): Promise<Source> {
  const node = await getNode();
  const found = node.networks.get(name);
  if (found === undefined) notFound();
  return { network: name, request: found.request as RpcRequest };
}

export async function getNetwork(name: string): Promise<PageNetwork> {
  const found = (await getNode()).networks.get(name);
  return found === undefined ? notFound() : toPageNetwork(found);
}

/** The scheme and host of the page's URL: "http://localhost:3000". */
export async function getOrigin(): Promise<string> {
  const request = await headers();
  const scheme = request.get("x-forwarded-proto")?.split(",")[0] ?? "http";
  return `${scheme}://${request.get("host") ?? "localhost"}`;
}

/**
 * Whether the visitor came to the page from one of this site's pages, and not from a link elsewhere. Browsers omit
 * Sec-Fetch-Site on http, except on this machine.
 */
export async function isFromThisSite(): Promise<boolean> {
  const request = await headers();
  const site = request.get("sec-fetch-site");
  return site === null ? request.get("referer")?.startsWith(`${await getOrigin()}/`) === true : site === "same-origin";
}

// Prefetching works the same for every type of data, so the types don't matter here.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyQuery = FetchQueryOptions<any, any, any, any>;

/** Runs all queries in parallel. If one fails, the page retries it in the browser and shows the error. */
async function run(queries: readonly AnyQuery[]): Promise<QueryClient> {
  const client = createQueryClient();
  await Promise.all(queries.map((query) => client.prefetchQuery(query)));
  return client;
}

const toState = (client: QueryClient): DehydratedState => withServerTimes(dehydrate(client));

/** The data of the queries, for a page that hydrates it itself. */
export async function prefetch(queries: readonly AnyQuery[]): Promise<DehydratedState> {
  return toState(await run(queries));
}

/** Runs the queries and renders the page with their data. A function can read the data first. */
export async function withQueries(
  queries: readonly AnyQuery[],
  page: ReactNode | ((client: QueryClient) => ReactNode | Promise<ReactNode>),
): Promise<ReactNode> {
  const client = await run(queries);
  const content = typeof page === "function" ? await page(client) : page;
  return <HydrationBoundary state={toState(client)}>{content}</HydrationBoundary>;
}

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;
export type PageProps = { params: Promise<{ network: string }>; searchParams: SearchParams };

/** The value of a query parameter. If the parameter is repeated, its first value. */
export function toSingle(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The parameters that filter a list of transactions. */
export function toFilterQuery({ kind, method, token }: Awaited<SearchParams>) {
  return { kind: toSingle(kind), method: toSingle(method), token: toSingle(token) };
}

type NetworkNode = NonNullable<ReturnType<Node["networks"]["get"]>>;

/** Copies only the fields that a page may see. */
export function toPageNetwork({ network, isLocal, publicChain }: NetworkNode): PageNetwork {
  const { name, label, chainId, nativeCurrency, tokens, contracts, embedded } = network;
  return {
    name,
    label,
    chainId,
    nativeCurrency,
    tokens,
    contracts,
    embedded,
    isLocal,
    publicChain,
  };
}

/** The node's networks, reduced to the fields that a page may see, default network first. */
export function listNetworks(node: Node): [PageNetwork, ...PageNetwork[]] {
  return [...node.networks.values()].map(toPageNetwork) as [PageNetwork, ...PageNetwork[]];
}

/** The node's networks as choices in a menu, default network first. */
export const listNetworkChoices = (node: Node): NetworkChoice[] =>
  listNetworks(node).map(({ name, label, embedded }) => ({ name, label, embedded }));
