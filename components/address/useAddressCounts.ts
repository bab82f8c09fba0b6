"use client";
import { useQuery } from "@tanstack/react-query";
import type { AddressView } from "@/components/address/addressTabs";
import { useSource } from "@/components/layout/NetworkContext";
import { toCountText } from "@/lib/addressCounts";
import { addressQuery } from "@/lib/query/explorerQueries";

type Counts = Record<"transactions" | "transfers" | "internal", string> & Partial<Record<AddressView, string>>;

/** How many rows an address's lists have, as text. Undefined while loading. */
export function useAddressCounts(address: string): Counts | undefined {
  const { data } = useQuery(addressQuery(useSource(), address));
  return (
    data && {
      transactions: toCountText(data.counts.transactions),
      transfers: toCountText(data.counts.tokenTransfers),
      internal: toCountText(data.counts.internalTransfers),
    }
  );
}
