"use client";
/** The chain's lists of blocks: the full one, and the newest on the start page. */
import { blockColumns, compactBlockColumns } from "@/components/block/blockColumns";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { ListSheet } from "@/components/lists/ListSheet";
import { toSectionPath } from "@/lib/links";
import { blocksQuery, homeRows, pageSize } from "@/lib/query/queries";
import type { BlockSummary } from "@/lib/query/wire";

const list = {
  id: "blocks",
  caption: "Blocks, newest first",
  getKey: (block: BlockSummary) => block.hash,
  loadingLabel: "Loading blocks",
  // Never shown: every chain has a genesis block.
  empty: null,
};

export function BlockList({ cursor }: { cursor: string | undefined }) {
  const source = useSource();
  return (
    <ListSheet
      {...list}
      title="Blocks"
      query={blocksQuery(source, cursor)}
      columns={blockColumns}
      rows={pageSize}
      path={toSectionPath(source.network, "blocks")}
      cursor={cursor}
    />
  );
}

export function LatestBlocks() {
  const source = useSource();
  return (
    <ListSheet
      {...list}
      title="Latest blocks"
      aside={
        <AppLink href={toSectionPath(source.network, "blocks")} className="text-13 text-ink-2">
          See all
        </AppLink>
      }
      query={blocksQuery(source, undefined, homeRows)}
      columns={compactBlockColumns}
      rows={homeRows}
    />
  );
}
