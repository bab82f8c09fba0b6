"use client";
/** The search that the search field, the palette and the search page share. */
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { addRecent } from "@/components/search/recents";
import { findDirect, type SearchItem, toSearchItem, toSearchItems } from "@/components/search/searchItems";
import { toSearchPath } from "@/lib/links";
import { pagesQuery } from "@/lib/query/pages";
import { searchQuery } from "@/lib/query/queries";
import type { RpcResult } from "@/lib/rpc/methods";

const longest = 200;

type Search = {
  items: SearchItem[];
  /** Similar names to suggest if nothing matches. */
  suggestions: SearchItem[];
  /** Whether the results for this text have arrived. */
  isComplete: boolean;
};

export function useSearch(given: string, isEnabled = true): Search {
  const { network, source, names } = useNetworkContext();
  const text = given.trim();
  const isAsked = isEnabled && text !== "" && text.length <= longest;
  const { data, isPlaceholderData } = useQuery({
    // A disabled search must not use the text as its key: the page's prefetched results are only used if a key is new.
    ...searchQuery(source, isAsked ? text : ""),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const { data: pages, isPending } = useQuery(pagesQuery(isEnabled ? network : undefined));
  return useMemo(() => {
    if (!isAsked || isPending) return { items: [], suggestions: [], isComplete: false };
    const isComplete = data !== undefined && !isPlaceholderData;
    const items = toSearchItems(network.name, { names, pages: pages ?? [] }, text, isComplete ? data.items : []);
    const suggestions = isComplete ? data.suggestions.map((item) => toSearchItem(network.name, item)) : [];
    return { items, suggestions, isComplete };
  }, [isAsked, network.name, names, pages, isPending, text, data, isPlaceholderData]);
}

/**
 * Opens the search page. If that page goes straight to a result, remembers the result as if the visitor had chosen it,
 * and opens it at once if it has already arrived. Returns whether it did.
 */
export function useOpenSearch(): (given: string) => boolean {
  const { network, source, names } = useNetworkContext();
  const client = useQueryClient();
  const router = useRouter();
  return (given) => {
    const text = given.trim();
    const query = searchQuery(source, text);
    const remember = (found: RpcResult<"explorer_search"> | undefined) => {
      const pages = client.getQueryData(pagesQuery(network).queryKey) ?? [];
      const items = found && toSearchItems(network.name, { names, pages }, text, found.items);
      const direct = items && findDirect(items, found.lookedUp);
      if (direct) addRecent(direct);
      return direct;
    };
    const direct = remember(client.getQueryData(query.queryKey));
    router.push(direct?.path ?? toSearchPath(network.name, text));
    if (direct) return true;
    if (text === "" || text.length > longest) return false;
    client.fetchQuery(query).then(
      remember,
      // The search page shows the error.
      () => {},
    );
    return false;
  };
}
