/**
 * A block in its consensus encoding.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type BlockProps, findQuantity, getBlockName, toBlockMetadata } from "@/app/[network]/block/[id]/loadBlock";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { BlockRaw } from "@/components/block/BlockRaw";
import { rawQuery, rawReceiptsQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toBlockMetadata("raw");

export default async function BlockRawPage({ params }: BlockProps) {
  const { network, id } = await params;
  const source = await getSource(network);
  const name = getBlockName(id);
  const number = findQuantity(name);
  const state = await prefetch(
    number === undefined
      ? []
      : [
          rawQuery(source, "debug_getRawHeader", number),
          rawQuery(source, "debug_getRawBlock", number),
          rawReceiptsQuery(source, number),
        ],
  );
  return (
    <HydrationBoundary state={state}>
      <BlockRaw key={id} name={name} />
    </HydrationBoundary>
  );
}
