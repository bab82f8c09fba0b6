import { type BlockProps, readBlock, toBlockMetadata } from "@/app/[network]/block/[id]/loadBlock";
import { toFilterQuery, toSingle, withQueries } from "@/app/[network]/loadPage";
import { BlockTransactions } from "@/components/block/BlockViews";
import { readFilter, toFilterFields } from "@/components/transaction/transactionFilter";
import { blockTransactionsQuery, pageSize } from "@/lib/query/queries";

export const generateMetadata = toBlockMetadata("transactions");

export default async function BlockPage(props: BlockProps) {
  const { source, id, name, number } = await readBlock(props);
  const query = await props.searchParams;
  const cursor = toSingle(query.after);
  const filter = readFilter(toFilterQuery(query));
  return withQueries(
    number === undefined ? [] : [blockTransactionsQuery(source, number, cursor, pageSize, toFilterFields(filter))],
    <BlockTransactions key={JSON.stringify([id, cursor, filter])} name={name} cursor={cursor} filter={filter} />,
  );
}
