"use client";
import { useQuery } from "@tanstack/react-query";
import type { AddressView } from "@/components/address/addressTabs";
import { useSource } from "@/components/layout/NetworkContext";
import { toCountText } from "@/lib/addressCounts";
import { addressQuery, holdingsQuery, nftsQuery } from "@/lib/query/explorerQueries";
import { formatInteger } from "@/lib/units";

type Counts = Record<"transactions" | "transfers" | "internal", string> & Partial<Record<AddressView, string>>;

/** How many rows an address's lists have, as text. Undefined while loading, and if the network has no index. */
export function useAddressCounts(address: string): Counts | undefined {
  const source = useSource();
  const { data } = useQuery(addressQuery(source, address));
  // Without an index, nothing else is counted, so the holdings aren't requested either.
  const enabled = data !== undefined;
  const { data: tokens } = useQuery({ ...holdingsQuery(source, address), enabled });
  const { data: nfts } = useQuery({ ...nftsQuery(source, address), enabled });
  return (
    data && {
      transactions: toCountText(data.counts.transactions),
      transfers: toCountText(data.counts.tokenTransfers),
      internal: toCountText(data.counts.internalTransfers),
      ...(tokens && nfts && { holdings: toHeldText(tokens, nfts) }),
    }
  );
}

type Held = { items: readonly unknown[]; next: string | null };

/** "3", or "25+" if there are more pages. */
function toHeldText(tokens: Held, nfts: Held): string {
  const count = formatInteger(BigInt(tokens.items.length + nfts.items.length));
  return tokens.next === null && nfts.next === null ? count : `${count}+`;
}
