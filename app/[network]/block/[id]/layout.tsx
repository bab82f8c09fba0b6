/**
 * The layout shared by a block's pages (EIP-3091): the block's header, and a tab for each view. The path has the
 * block's number or hash.
 */
import type { ReactNode } from "react";
import { type BlockProps, readBlock } from "@/app/[network]/block/[id]/loadBlock";
import { withQueries } from "@/app/[network]/loadPage";
import { BlockScreen } from "@/components/block/BlockScreen";
import { blockQuery, blockSummaryQuery } from "@/lib/query/queries";

export default async function BlockLayout({ params, children }: Pick<BlockProps, "params"> & { children: ReactNode }) {
  const { source, id, name } = await readBlock({ params });
  return withQueries(
    [blockQuery(source, name), ...("number" in name ? [blockSummaryQuery(source, name.number)] : [])],
    <BlockScreen key={id} name={name}>
      {children}
    </BlockScreen>,
  );
}
