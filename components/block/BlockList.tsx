"use client";
/** Lists of blocks: the full list, and a list of the newest blocks for the start page. */
import { useQuery } from "@tanstack/react-query";
import { blockColumns, compactBlockColumns } from "@/components/block/blockColumns";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { DataLinks } from "@/components/lists/DataLinks";
import { ListSheet } from "@/components/lists/ListSheet";
import { toBlockPath, toSectionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { blocksQuery, headNumberQuery, homeRows, pageSize } from "@/lib/query/queries";
import type { BlockSummary, Page } from "@/lib/query/wire";
import { toQuantity } from "@/lib/units";

const list = {
  id: "blocks",
  caption: "Blocks, newest first",
  getKey: (block: BlockSummary) => block.hash,
  loadingLabel: "Loading blocks",
};

/** Lists every block if `showsEmpty` is set. Otherwise, each run of empty blocks takes one line. */
export function BlockList({ cursor, showsEmpty }: { cursor: string | undefined; showsEmpty: boolean }) {
  const source = useSource();
  const path = toSectionPath(source.network, "blocks");
  const allPath = `${path}?empty=show`;
  const query = blocksQuery(source, cursor, pageSize, !showsEmpty);
  const { data } = useQuery(query);
  const { data: head } = useQuery(headNumberQuery(source));
  const hidden = data && head !== undefined ? countHidden(data, cursor ?? head, cursor === undefined) : undefined;
  return (
    <ListSheet<BlockSummary>
      {...list}
      title="Blocks"
      level="h1"
      aside={
        <span className="flex flex-wrap items-center gap-x-2 text-13 sm:gap-x-4">
          {/* On phones, the links have to fit on the title's line. */}
          <AppLink href={showsEmpty ? path : allPath} className="text-accent">
            {showsEmpty ? "Hide" : "Show"} empty<span className="max-sm:sr-only"> blocks</span>
          </AppLink>
          <DataLinks csv method="explorer_getBlocks" params={query.queryKey[2]} />
        </span>
      }
      query={query}
      columns={blockColumns}
      {...(!showsEmpty && {
        toNote: (above, below) => {
          const last = Number(above.number) - 1;
          const first = below ? Number(below.number) + 1 : data?.next === null ? 0 : last + 1;
          return first <= last && <EmptyBlocks first={first} last={last} />;
        },
      })}
      rows={pageSize}
      path={showsEmpty ? allPath : path}
      cursor={cursor}
      foot={
        data?.items[0] && (
          <>
            {data.items.length === 1 ? "Block" : "Blocks"} {Number(data.items[0].number)}
            {data.items.length > 1 && ` – ${Number(data.items.at(-1)?.number)}`}
            {!showsEmpty && hidden !== undefined && hidden > 0 && (
              <>
                {" · "}
                <span>
                  {hidden} empty {plural(hidden, "block")} hidden
                </span>
              </>
            )}
          </>
        )
      }
      empty={
        <Empty title="No block has transactions yet">
          <AppLink href={allPath} className="button">
            Show empty blocks
          </AppLink>
        </Empty>
      }
    />
  );
}

/**
 * How many blocks a page without empty blocks leaves out: up to the head on the first page, and before the cursor's
 * block on the others.
 */
function countHidden({ items, next }: Page<BlockSummary>, end: string, isFirst: boolean): number {
  const last = items.at(-1);
  const from = next === null || !last ? 0 : Number(last.number);
  return Number(end) + (isFirst ? 1 : 0) - from - items.length;
}

/** The line for a run of empty blocks. */
function EmptyBlocks({ first, last }: { first: number; last: number }) {
  const { network } = useSource();
  const count = last - first + 1;
  const path = `${toSectionPath(network, "blocks")}?empty=show&after=${toQuantity(last + 1)}`;
  return (
    <>
      <AppLink href={count === 1 ? toBlockPath(network, last) : path}>
        {count} empty {plural(count, "block")}
      </AppLink>
      {" · "}
      {count === 1 ? last : `${last} – ${first}`}
    </>
  );
}

export function LatestBlocks() {
  const source = useSource();
  return (
    <ListSheet<BlockSummary>
      {...list}
      title="Latest blocks"
      aside={
        <AppLink href={toSectionPath(source.network, "blocks")} className="text-13 text-accent">
          See all
        </AppLink>
      }
      query={blocksQuery(source, undefined, homeRows)}
      columns={compactBlockColumns}
      rows={homeRows}
      // The empty state is never shown, because every chain has a genesis block.
      empty={null}
    />
  );
}
