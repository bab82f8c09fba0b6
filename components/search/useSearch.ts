"use client";
/** The search that the search field, the palette and the search page share. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { dropRepeated, findLocally, type SearchItem, toSearchItem } from "@/components/search/searchItems";
import { searchQuery } from "@/lib/query/queries";

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
  const isAsked = isEnabled && text !== "" && text.length <= 200;
  const { data, isPlaceholderData } = useQuery({
    ...searchQuery(source, text),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (!isAsked) return { items: [], suggestions: [], isComplete: false };
    const local = findLocally(network, names, text);
    const isComplete = data !== undefined && !isPlaceholderData;
    const found = isComplete ? data.items.map((item) => toSearchItem(network.name, item)) : [];
    const items = dropRepeated([...local, ...found]);
    const suggestions = isComplete ? data.suggestions.map((item) => toSearchItem(network.name, item)) : [];
    return { items, suggestions, isComplete };
  }, [isAsked, network, names, text, data, isPlaceholderData]);
}
