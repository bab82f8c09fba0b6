/** The transactions of a block. */
import { type BlockProps, readBlock, toBlockMetadata } from "@/app/[network]/block/[id]/loadBlock";
import { toSingle, withQueries } from "@/app/[network]/loadPage";
import { BlockTransactions } from "@/components/block/BlockViews";
import { blockTransactionsQuery } from "@/lib/query/queries";

export const generateMetadata = toBlockMetadata("transactions");

export default async function BlockPage(props: BlockProps) {
  const { source, id, name, number } = await readBlock(props);
  const cursor = toSingle((await props.searchParams).after);
  return withQueries(
    number === undefined ? [] : [blockTransactionsQuery(source, number, cursor)],
    <BlockTransactions key={`${id}${cursor}`} name={name} cursor={cursor} />,
  );
}
