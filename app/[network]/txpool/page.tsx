/**
 * The transaction pool.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { PoolScreen } from "@/components/pool/PoolScreen";
import { poolQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Pool" };

export default async function PoolPage({ params }: { params: Promise<{ network: string }> }) {
  const source = await getSource((await params).network);
  const state = await prefetch([poolQuery(source)]);
  return (
    <HydrationBoundary state={state}>
      <PoolScreen />
    </HydrationBoundary>
  );
}
