/** The developer tools of an embedded chain. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { ToolsScreen } from "@/components/tools/ToolsScreen";
import { developerQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Developer tools" };

export default async function ToolsPage({ params }: { params: Promise<{ network: string }> }) {
  const source = await getSource((await params).network);
  const state = await prefetch([developerQuery(source)]);
  return (
    <HydrationBoundary state={state}>
      <ToolsScreen />
    </HydrationBoundary>
  );
}
