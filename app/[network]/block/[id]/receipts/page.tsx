/**
 * The receipts of a block.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type BlockProps, findQuantity, getBlockName, toBlockMetadata } from "@/app/[network]/block/[id]/loadBlock";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { BlockReceipts } from "@/components/block/BlockViews";
import { blockReceiptsQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toBlockMetadata("receipts");

export default async function BlockReceiptsPage({ params }: BlockProps) {
  const { network, id } = await params;
  const source = await getSource(network);
  const name = getBlockName(id);
  const number = findQuantity(name);
  const state = await prefetch(number === undefined ? [] : [blockReceiptsQuery(source, number)]);
  return (
    <HydrationBoundary state={state}>
      <BlockReceipts key={id} name={name} />
    </HydrationBoundary>
  );
}
