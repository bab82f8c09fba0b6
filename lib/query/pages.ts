/** The pages that a search can find. */
import { queryOptions } from "@tanstack/react-query";
import type { Network } from "@/lib/networks";

/** In the browser, the list is loaded when it is first needed, because every page has a search field. */
export function pagesQuery(network: Pick<Network, "name" | "embedded">) {
  return queryOptions({
    queryKey: ["pages", network.name],
    queryFn: async () => (await import("@/lib/pages")).listPages(network),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
