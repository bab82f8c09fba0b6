"use client";
/** A paginated list in a sheet: rows, empty state, pager and data links. Rows don't move while someone reads them. */
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { Pager, type Total } from "@/components/lists/Pager";
import { QueryContent } from "@/components/lists/QueryContent";
import { HeldNotice } from "@/components/live/HeldNotice";
import { type Held, useHeld } from "@/components/live/useHeld";
import type { RequestKey } from "@/lib/query/source";
import type { Page } from "@/lib/query/wire";
import type { MethodName } from "@/lib/rpc/methods";

type Table<Row> = {
  /** The columns, or a function that returns the columns for the rows on the page. */
  columns: Column<Row>[] | ((rows: Row[]) => Column<Row>[]);
  toNote?: (above: Row, below: Row | undefined) => ReactNode;
};

type ListProps<Row> = {
  id: string;
  title: string;
  /** "h1" if the title is also the page's title. It is then above the sheet, as on every other page. */
  level?: "h1" | "h2";
  /** Filters in the title's place, if a tab above already has the title. On phones, they are in a line of their own. */
  bar?: ReactNode;
  /** A short text beside the title, which phones have no room for. */
  about?: string;
  /** The table's label for screen readers; defaults to the title. */
  caption?: string;
  /** The content at the right end of the title line. By default, these are links to the list's data. */
  aside?: ReactNode;
  /** A short text below the title. */
  note?: string;
  filters?: ReactNode;
  query: UseQueryOptions<Page<Row>, Error, Page<Row>, RequestKey>;
  getKey: (row: Row) => string;
  /** The number of rows to expect while the list is loading. */
  rows?: number;
  loadingLabel?: string;
  /** The base path of this list's pages. Without it, the list has no pager. */
  path?: string;
  /** The base path of the next page, if it differs. */
  nextPath?: string;
  cursor?: string | undefined;
  /** With it, the text beside the pager's links has the number of all rows instead of the range of blocks. */
  total?: Total | undefined;
  /** A short text about the rows, shown beside the pager's links. The default is their number and range of blocks. */
  foot?: ReactNode;
  /** The labels of the pager's links to the first and next pages. The defaults are "Newest" and "Older". */
  pagerLabels?: readonly [string, string];
  empty: ReactNode;
} & (
  | Table<Row>
  /** Renders the rows of a list that isn't a table. */
  | { children: (rows: Row[]) => ReactNode }
);

export function ListSheet<Row>({
  id,
  title,
  level = "h2",
  bar,
  about,
  aside,
  note,
  filters,
  query,
  getKey,
  ...list
}: ListProps<Row>) {
  const { data } = useQuery(query);
  const held = useHeld(data?.items ?? (none as Row[]), getKey);
  const [, method, params] = query.queryKey;
  const links = (
    <span className="ml-auto flex flex-wrap items-center">
      <HeldNotice waiting={held.waiting} onRelease={held.release} />
      {aside ?? <DataLinks csv={data?.items.length !== 0} method={method as MethodName} params={params} />}
    </span>
  );
  const titleEnd = (
    <>
      {about && <p className="min-w-0 flex-1 text-pretty text-13 text-ink-2 max-sm:hidden">{about}</p>}
      {links}
    </>
  );
  const isPage = level === "h1";
  return (
    <div {...held.surroundings} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
      {isPage && (
        <div className="page-title">
          <h1 id={id}>{title}</h1>
          {links}
        </div>
      )}
      <Sheet id={id} {...(isPage || bar ? { labelledBy: id } : { title, aside: titleEnd })}>
        {bar && (
          <div className="sheet-head">
            <h2 id={id} className="sm:sr-only">
              {title}
            </h2>
            <div className="min-w-0 max-sm:order-1 max-sm:basis-full">{bar}</div>
            {links}
          </div>
        )}
        {note && <p className="border-line border-b px-4 py-2 text-13 text-ink-2">{note}</p>}
        {filters}
        <QueryContent query={query} rows={list.rows ?? 8} {...(list.loadingLabel && { label: list.loadingLabel })}>
          {({ next }) => (
            <>
              <Rows {...list} caption={list.caption ?? title} getKey={getKey} held={held} />
              {list.path !== undefined && (
                <Pager
                  path={list.path}
                  nextPath={list.nextPath}
                  cursor={list.cursor}
                  next={next}
                  rows={held.shown}
                  total={list.total}
                  foot={list.foot}
                  {...(list.pagerLabels && { labels: list.pagerLabels })}
                />
              )}
            </>
          )}
        </QueryContent>
      </Sheet>
    </div>
  );
}

function Rows<Row>({
  held,
  caption,
  getKey,
  empty,
  ...content
}: Pick<ListProps<Row>, "getKey" | "empty"> &
  (Table<Row> | { children: (rows: Row[]) => ReactNode }) & { held: Held<Row>; caption: string }) {
  if (held.shown.length === 0) return typeof empty === "string" ? <Empty title={empty} /> : empty;
  if ("children" in content) return content.children(held.shown);
  return (
    <DataTable
      caption={caption}
      columns={typeof content.columns === "function" ? content.columns(held.shown) : content.columns}
      rows={held.shown}
      getKey={getKey}
      isNew={held.isNew}
      {...(content.toNote && { toNote: content.toNote })}
    />
  );
}

const none: never[] = [];
