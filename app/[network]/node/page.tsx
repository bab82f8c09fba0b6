/**
 * The node's own figures.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { NodeScreen } from "@/components/node/NodeScreen";
import { nodeHistoryQuery, nodeStatusQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Node" };

export default async function NodePage({ params }: { params: Promise<{ network: string }> }) {
  const source = await getSource((await params).network);
  const state = await prefetch([nodeStatusQuery(source), nodeHistoryQuery(source)]);
  return (
    <HydrationBoundary state={state}>
      <NodeScreen />
    </HydrationBoundary>
  );
}
