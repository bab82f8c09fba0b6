/**
 * All blocks, newest first.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { BlockList } from "@/components/block/BlockList";
import { blocksQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Blocks" };

type Props = { params: Promise<{ network: string }>; searchParams: Promise<{ after?: string | string[] }> };

export default async function BlocksPage({ params, searchParams }: Props) {
  const source = await getSource((await params).network);
  const cursor = toSingle((await searchParams).after);
  const state = await prefetch([blocksQuery(source, cursor)]);
  return (
    <HydrationBoundary state={state}>
      <h1 className="sr-only">Blocks</h1>
      <BlockList key={cursor ?? "newest"} {...(cursor === undefined ? {} : { cursor })} />
    </HydrationBoundary>
  );
}
