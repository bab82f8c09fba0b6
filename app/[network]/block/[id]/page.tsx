/**
 * The transactions of a block.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type BlockProps, findQuantity, getBlockName, toBlockMetadata } from "@/app/[network]/block/[id]/loadBlock";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { BlockTransactions } from "@/components/block/BlockViews";
import { blockTransactionsQuery } from "@/lib/query/queries";

export const generateMetadata = toBlockMetadata("transactions");

export default async function BlockPage({ params, searchParams }: BlockProps) {
  const { network, id } = await params;
  const source = await getSource(network);
  const name = getBlockName(id);
  const number = findQuantity(name);
  const cursor = toSingle((await searchParams).after);
  const state = await prefetch(number === undefined ? [] : [blockTransactionsQuery(source, number, cursor)]);
  return (
    <HydrationBoundary state={state}>
      <BlockTransactions key={`${id}${cursor}`} name={name} {...(cursor === undefined ? {} : { cursor })} />
    </HydrationBoundary>
  );
}
