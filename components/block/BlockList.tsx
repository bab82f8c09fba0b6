"use client";
/** The list of blocks, newest first. The first page is live and pauses under the pointer. */
import { useQuery } from "@tanstack/react-query";
import { blockColumns, compactBlockColumns } from "@/components/block/blockColumns";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { DataTable } from "@/components/lists/DataTable";
import { Pager } from "@/components/lists/Pager";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { HeldNotice } from "@/components/live/HeldNotice";
import { useHeld } from "@/components/live/useHeld";
import { toSectionPath } from "@/lib/links";
import { blocksQuery, pageSize } from "@/lib/query/queries";
import type { BlockSummary } from "@/lib/query/wire";

const getKey = (block: BlockSummary) => block.hash;
const none: BlockSummary[] = [];

export function BlockList({
  cursor,
  limit = pageSize,
  compact = false,
}: {
  cursor?: string;
  limit?: number;
  compact?: boolean;
}) {
  const source = useSource();
  const query = blocksQuery(source, cursor, limit);
  const { data, error, refetch } = useQuery(query);
  const held = useHeld(data?.items ?? none, getKey);
  const path = toSectionPath(source.network, "blocks");
  return (
    <div {...held.surroundings} className="min-w-0">
      <Sheet
        id="blocks"
        title={compact ? "Latest blocks" : "Blocks"}
        aside={
          <span className="flex items-center gap-4">
            <HeldNotice waiting={held.waiting} onRelease={held.release} />
            {!compact && <DataLinks csv method="explorer_getBlocks" params={query.queryKey[2]} />}
            {compact && (
              <AppLink href={path} className="text-13 text-ink-2">
                See all
              </AppLink>
            )}
          </span>
        }
      >
        {data ? (
          <DataTable
            caption="Blocks, newest first"
            columns={compact ? compactBlockColumns : blockColumns}
            rows={held.shown}
            getKey={getKey}
            isNew={held.isNew}
          />
        ) : error ? (
          <QueryFailure error={error} method="explorer_getBlocks" onRetry={refetch} />
        ) : (
          <SkeletonRows rows={limit} label="Loading blocks" />
        )}
        {!compact && data && <Pager path={path} cursor={cursor} next={data.next} />}
      </Sheet>
    </div>
  );
}
