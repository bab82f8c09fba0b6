/**
 * Charts over the newest blocks.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { ChartsScreen } from "@/components/charts/ChartsScreen";
import { seriesQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Charts" };

const ranges: readonly string[] = ["50", "200", "1000"];

type Props = { params: Promise<{ network: string }>; searchParams: Promise<{ blocks?: string | string[] }> };

export default async function ChartsPage({ params, searchParams }: Props) {
  const source = await getSource((await params).network);
  const wanted = toSingle((await searchParams).blocks) ?? "";
  const blocks = ranges.includes(wanted) ? Number(wanted) : 200;
  const state = await prefetch([seriesQuery(source, blocks)]);
  return (
    <HydrationBoundary state={state}>
      <ChartsScreen key={blocks} blocks={blocks} />
    </HydrationBoundary>
  );
}
