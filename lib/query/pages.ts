/** The pages that a search can find. */
import { queryOptions } from "@tanstack/react-query";
import type { Network } from "@/lib/networks";

/**
 * In the browser, the list is loaded when a search needs it, because every page has a search field. Without a network,
 * nothing is loaded, and the key is another one: hydration doesn't replace a query that is already in the cache.
 */
export function pagesQuery(network: Pick<Network, "name" | "embedded"> | undefined) {
  return queryOptions({
    queryKey: ["pages", network?.name],
    queryFn: async () => (network ? (await import("@/lib/pages")).listPages(network) : []),
    enabled: network !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
