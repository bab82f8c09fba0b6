"use client";
/** The search that the search field, the palette and the search page share. */
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { addRecent } from "@/components/search/recents";
import { findDirect, type SearchItem, toSearchItem, toSearchItems } from "@/components/search/searchItems";
import { toSearchPath } from "@/lib/links";
import { searchQuery } from "@/lib/query/queries";

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
  return useMemo(() => {
    if (!isAsked) return { items: [], suggestions: [], isComplete: false };
    const isComplete = data !== undefined && !isPlaceholderData;
    const items = toSearchItems(network, names, text, isComplete ? data.items : []);
    const suggestions = isComplete ? data.suggestions.map((item) => toSearchItem(network.name, item)) : [];
    return { items, suggestions, isComplete };
  }, [isAsked, network, names, text, data, isPlaceholderData]);
}

/**
 * Opens the search page. If that page goes straight to a result, remembers the result as if the visitor had chosen it.
 */
export function useOpenSearch(): (given: string) => void {
  const { network, source, names } = useNetworkContext();
  const client = useQueryClient();
  const router = useRouter();
  return (given) => {
    const text = given.trim();
    router.push(toSearchPath(network.name, text));
    if (text === "" || text.length > longest) return;
    client.fetchQuery(searchQuery(source, text)).then(
      ({ items, lookedUp }) => {
        const direct = findDirect(toSearchItems(network, names, text, items), lookedUp);
        if (direct) addRecent(direct);
      },
      // The search page shows the error.
      () => {},
    );
  };
}
