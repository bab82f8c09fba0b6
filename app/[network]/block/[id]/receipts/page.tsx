import { type BlockProps, readBlock, toBlockMetadata } from "@/app/[network]/block/[id]/loadBlock";
import { withQueries } from "@/app/[network]/loadPage";
import { BlockReceipts } from "@/components/block/BlockViews";
import { blockReceiptsQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toBlockMetadata("receipts");

export default async function BlockReceiptsPage(props: BlockProps) {
  const { source, id, name, number } = await readBlock(props);
  return withQueries(
    number === undefined ? [] : [blockReceiptsQuery(source, number)],
    <BlockReceipts key={id} name={name} />,
  );
}
