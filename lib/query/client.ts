/**
 * A page's query cache, and how events mark its data as outdated. Fetched data is shown until the stream reports a
 * change. A page never refetches on mount or focus.
 */
import { type FetchQueryOptions, type Query, QueryClient } from "@tanstack/react-query";
import type { Follows } from "@/lib/query/source";

/**
 * When each event last happened on a network, in milliseconds since the epoch. A key is the network's name, a space and
 * the event.
 */
type News = Map<string, number>;
const newsOf = new WeakMap<QueryClient, News>();

function listFollows(query: Query): readonly Follows[] {
  return (query.meta?.follows as readonly Follows[] | undefined) ?? [];
}

/**
 * Whether an event that the query follows has happened since the query's data was read. This also detects outdated
 * prefetched data, which wasn't in the cache when the event happened.
 */
function isOvertaken(news: News, query: Query): boolean {
  return listFollows(query).some((name) => (news.get(`${query.queryKey[0]} ${name}`) ?? 0) > query.state.dataUpdatedAt);
}

export function createQueryClient(): QueryClient {
  const news: News = new Map();
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnMount: (query) => query.state.isInvalidated || isOvertaken(news, query as Query),
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
        gcTime: 10 * 60_000,
      },
    },
  });
  newsOf.set(client, news);
  return client;
}

/**
 * Refetches the visible queries that follow one of these events. Queries that aren't visible are refetched when they
 * are shown.
 */
export function refreshFollowing(client: QueryClient, network: string, happened: readonly Follows[]): Promise<void> {
  const now = Date.now();
  for (const name of happened) newsOf.get(client)?.set(`${network} ${name}`, now);
  return client.invalidateQueries({
    predicate: (query) =>
      query.queryKey[0] === network && query.isStale() && listFollows(query).some((name) => happened.includes(name)),
  });
}

/** The cache policy of something that is read once, and again only with `readAgain`. */
export const readOnce = { staleTime: Number.POSITIVE_INFINITY } as const;

/** Reads a query again. Its last value stays until the new one arrives. */
export function readAgain<Value, Key extends readonly unknown[]>(
  client: QueryClient,
  query: FetchQueryOptions<Value, Error, Value, Key>,
): Promise<void> {
  return client.prefetchQuery({ ...query, staleTime: 0 });
}
