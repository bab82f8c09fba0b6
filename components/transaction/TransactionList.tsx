"use client";
/** A list of transactions: all, of an address, of a block, or the newest on the start page. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Sheet } from "@/components/layout/Sheet";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { Pager } from "@/components/lists/Pager";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { HeldNotice } from "@/components/live/HeldNotice";
import { useHeld } from "@/components/live/useHeld";
import type { Page, TransactionSummary } from "@/lib/query/wire";
import type { MethodName } from "@/lib/rpc/methods";

const getKey = (transaction: TransactionSummary) => transaction.hash;
const none: TransactionSummary[] = [];

export function TransactionList({
  title,
  aside,
  result,
  method,
  columns,
  rows,
  path,
  cursor,
  empty,
}: {
  title: string;
  aside?: ReactNode;
  result: Pick<UseQueryResult<Page<TransactionSummary>>, "data" | "error" | "refetch">;
  /** The method that the result comes from. */
  method: MethodName;
  columns: Column<TransactionSummary>[];
  /** Expected number of rows while loading. */
  rows: number;
  /** The base path of this list's pages; without it there is no pager. */
  path?: string;
  cursor?: string | undefined;
  empty: ReactNode;
}) {
  const { data, error, refetch } = result;
  const held = useHeld(data?.items ?? none, getKey);
  return (
    <div {...held.surroundings} className="min-w-0">
      <Sheet
        id="transactions"
        title={title}
        aside={
          <span className="flex items-center gap-4">
            <HeldNotice waiting={held.waiting} onRelease={held.release} />
            {aside}
          </span>
        }
      >
        {data ? (
          held.shown.length === 0 ? (
            empty
          ) : (
            <DataTable caption={title} columns={columns} rows={held.shown} getKey={getKey} isNew={held.isNew} />
          )
        ) : error ? (
          <QueryFailure error={error} method={method} onRetry={refetch} />
        ) : (
          <SkeletonRows rows={rows} label="Loading transactions" />
        )}
        {path !== undefined && data && <Pager path={path} cursor={cursor} next={data.next} />}
      </Sheet>
    </div>
  );
}
