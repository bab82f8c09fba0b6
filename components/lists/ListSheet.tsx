"use client";
/** A paged list as a sheet: rows, empty state, pager and data links. Rows don't move while someone reads them. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { Pager } from "@/components/lists/Pager";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { HeldNotice } from "@/components/live/HeldNotice";
import { useHeld } from "@/components/live/useHeld";
import type { Page } from "@/lib/query/wire";
import type { MethodName } from "@/lib/rpc/methods";

/** The request behind the list: [network, method, params]. */
type ListKey = readonly [string, string, readonly unknown[]];

export function ListSheet<Row>({
  id,
  title,
  note,
  filters,
  query,
  result: { data, error, refetch },
  columns,
  getKey,
  path,
  cursor,
  empty,
}: {
  id: string;
  title: string;
  /** One sentence below the title. */
  note?: string;
  filters?: ReactNode;
  query: { queryKey: readonly unknown[] };
  result: Pick<UseQueryResult<Page<Row>>, "data" | "error" | "refetch">;
  columns: Column<Row>[];
  getKey: (row: Row) => string;
  path: string;
  cursor: string | undefined;
  empty: ReactNode;
}) {
  const [, method, params] = query.queryKey as unknown as ListKey;
  const held = useHeld(data?.items ?? (none as Row[]), getKey);
  return (
    <div {...held.surroundings} className="min-w-0">
      <Sheet
        id={id}
        title={title}
        aside={
          <span className="flex flex-wrap items-center gap-4">
            <HeldNotice waiting={held.waiting} onRelease={held.release} />
            <DataLinks csv method={method as MethodName} params={params} />
          </span>
        }
      >
        {note && <p className="border-line border-b px-4 py-2 text-13 text-ink-2">{note}</p>}
        {filters}
        {data ? (
          held.shown.length === 0 ? (
            typeof empty === "string" ? (
              <Empty title={empty} />
            ) : (
              empty
            )
          ) : (
            <DataTable caption={title} columns={columns} rows={held.shown} getKey={getKey} isNew={held.isNew} />
          )
        ) : error ? (
          <QueryFailure error={error} method={method as MethodName} onRetry={refetch} />
        ) : (
          <SkeletonRows rows={8} label="Loading rows" />
        )}
        {data && <Pager path={path} cursor={cursor} next={data.next} />}
      </Sheet>
    </div>
  );
}

const none: never[] = [];
