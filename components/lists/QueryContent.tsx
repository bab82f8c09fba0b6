"use client";
/** Renders a query's data. Until the data is available, renders placeholder rows or the failure. */
import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Sheet } from "@/components/layout/Sheet";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import type { MethodName } from "@/lib/rpc/methods";

export function QueryContent<Data, Key extends QueryKey>({
  query,
  rows,
  label = "Loading rows",
  framed = false,
  children,
}: {
  query: UseQueryOptions<Data, Error, Data, Key>;
  /** Expected number of rows. */
  rows: number;
  /** The text for screen readers while the data loads. */
  label?: string;
  /** Wraps placeholders and failures in a sheet, for content that includes sheets. */
  framed?: boolean;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = useQuery(query);
  if (data !== undefined) return children(data);
  const rest = error ? (
    <QueryFailure error={error} method={query.queryKey[1] as MethodName} onRetry={refetch} />
  ) : (
    <SkeletonRows rows={rows} label={label} />
  );
  return framed ? <Sheet>{rest}</Sheet> : rest;
}
