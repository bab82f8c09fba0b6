"use client";
/** Decodes data, first with the visitor's pasted ABIs, then with the node's interfaces. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSource } from "@/components/layout/NetworkContext";
import { usePastedDecoder } from "@/components/trace/pastedAbis";
import type { Decoded, DecodeItem } from "@/lib/decode/decoded";
import { decodeQuery } from "@/lib/query/transaction";

const none: Decoded[] = [];

/**
 * Returns one list of decodings per item, in order. A list is empty if nothing fits. If no ABI was pasted, returns
 * undefined until the node has responded.
 */
export function useReadings(items: readonly DecodeItem[]): Decoded[][] | undefined {
  const source = useSource();
  const pasted = usePastedDecoder();
  const { data, isError } = useQuery({ ...decodeQuery(source, items), enabled: items.length > 0 });
  return useMemo(() => {
    if (items.length === 0) return [];
    if (!pasted) return data ?? (isError ? items.map(() => none) : undefined);
    return items.map((item, index) => [...pasted.decode(item), ...(data?.[index] ?? [])]);
  }, [items, pasted, data, isError]);
}

/** The decodings of one item. There are none if the item is undefined. */
export function useReading(item: DecodeItem | undefined): Decoded[] {
  const key = JSON.stringify(item ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the item's content
  const items = useMemo(() => (item ? [item] : []), [key]);
  return useReadings(items)?.[0] ?? none;
}
