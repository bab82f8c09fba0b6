/**
 * The query cache of a page, and how news makes its data old. Defaults: what was fetched once is shown until the
 * stream says otherwise; a page never refetches because it was mounted or focused.
 */
import { type Query, QueryClient } from "@tanstack/react-query";
import type { Follows } from "@/lib/query/source";

/** When something last happened on a network, in milliseconds since the epoch, by "network follows". */
type News = Map<string, number>;
const newsOf = new WeakMap<QueryClient, News>();

function listFollows(query: Query): readonly Follows[] {
  return (query.meta?.follows as readonly Follows[] | undefined) ?? [];
}

/** A page that was prefetched brings data along that was read before the news: nothing was there to invalidate then. */
function isOvertaken(news: News, query: Query): boolean {
  return listFollows(query).some((name) => (news.get(`${query.queryKey[0]} ${name}`) ?? 0) > query.state.dataUpdatedAt);
}

export function createQueryClient(): QueryClient {
  const news: News = new Map();
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnMount: (query) => query.state.isInvalidated || isOvertaken(news, query as unknown as Query),
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

/** Refetches what is on screen and follows one of these; what is not on screen is refetched when it is shown again. */
export function refreshFollowing(client: QueryClient, network: string, happened: readonly Follows[]): Promise<void> {
  const now = Date.now();
  for (const name of happened) newsOf.get(client)?.set(`${network} ${name}`, now);
  return client.invalidateQueries({
    predicate: (query) =>
      query.queryKey[0] === network && query.isStale() && listFollows(query).some((name) => happened.includes(name)),
  });
}
