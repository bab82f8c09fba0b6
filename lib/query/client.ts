/**
 * The query cache of a page, and how news makes its data old. Defaults: what was fetched once is shown until the
 * stream says otherwise; a page never refetches because it was mounted or focused.
 */
import { QueryClient } from "@tanstack/react-query";
import type { Follows } from "@/lib/query/source";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnMount: (query) => query.state.isInvalidated,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
        gcTime: 10 * 60_000,
      },
    },
  });
}

/** Refetches what is on screen and follows one of these; what is not on screen is refetched when it is shown again. */
export function refreshFollowing(client: QueryClient, network: string, happened: readonly Follows[]): Promise<void> {
  return client.invalidateQueries({
    predicate: (query) => {
      const follows = query.meta?.follows as readonly Follows[] | undefined;
      return (
        query.queryKey[0] === network && query.isStale() && (follows?.some((name) => happened.includes(name)) ?? false)
      );
    },
  });
}
