"use client";
/** Renders a query's data. While there is no data, renders placeholder rows, or the error if the query failed. */
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
  /** The number of rows to expect while the data loads. */
  rows: number;
  /** The text for screen readers while the data loads. */
  label?: string;
  /** Wraps the placeholder or the error in a sheet. Set it if the content has its own sheets. */
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
