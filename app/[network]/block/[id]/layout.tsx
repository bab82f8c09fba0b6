/**
 * One block, by number or hash (EIP-3091): its header and the way to its views.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getBlockName } from "@/app/[network]/block/[id]/loadBlock";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { BlockScreen } from "@/components/block/BlockScreen";
import { blockQuery } from "@/lib/query/queries";

export default async function BlockLayout({
  params,
  children,
}: {
  params: Promise<{ network: string; id: string }>;
  children: ReactNode;
}) {
  const { network, id } = await params;
  const source = await getSource(network);
  const name = getBlockName(id);
  const state = await prefetch([blockQuery(source, name)]);
  return (
    <HydrationBoundary state={state}>
      <BlockScreen key={id} name={name}>
        {children}
      </BlockScreen>
    </HydrationBoundary>
  );
}
