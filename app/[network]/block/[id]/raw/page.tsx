/** A block in its consensus encoding. */
import { type BlockProps, readBlock, toBlockMetadata } from "@/app/[network]/block/[id]/loadBlock";
import { withQueries } from "@/app/[network]/loadPage";
import { BlockRaw } from "@/components/block/BlockRaw";
import { rawQuery, rawReceiptsQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toBlockMetadata("raw");

export default async function BlockRawPage(props: BlockProps) {
  const { source, id, name, number } = await readBlock(props);
  return withQueries(
    number === undefined ? [] : [rawQuery(source, number), rawReceiptsQuery(source, number)],
    <BlockRaw key={id} name={name} />,
  );
}
