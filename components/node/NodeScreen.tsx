"use client";
/**
 * The node's health: head, store, workers, and requests per method, now and over time. Only this page polls on a timer,
 * because it shows load, which changes without events.
 */
import { BlockLink } from "@/components/atoms/BlockLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { NodeHistory } from "@/components/node/NodeHistory";
import { NodeProblems } from "@/components/node/NodeProblems";
import { formatDuration } from "@/lib/formatTime";
import { plural } from "@/lib/plural";
import { nodeStatusQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatBytes, formatInteger } from "@/lib/units";

type Status = RpcResult<"explorer_getNodeStatus">;
type MethodRow = Status["methods"][number];

const formatMs = (value: number) => `${Number(value.toPrecision(3))} ms`;

const methodColumns: Column<MethodRow>[] = [
  { id: "method", head: "Method", narrow: "lead", cell: (row) => <code className="mono">{row.method}</code> },
  {
    id: "requests",
    head: "Requests",
    align: "right",
    width: "md:w-28",
    narrow: "trail",
    cell: (row) => formatInteger(row.requests),
  },
  {
    id: "errors",
    head: "Errors",
    align: "right",
    width: "md:w-24",
    cell: (row) => <span className={row.errors === 0 ? "text-ink-3" : ""}>{formatInteger(row.errors)}</span>,
  },
  { id: "mean", head: "Mean", align: "right", width: "md:w-28 max-lg:hidden", cell: (row) => formatMs(row.meanMs) },
  {
    id: "median",
    head: "p50",
    align: "right",
    width: "md:w-28",
    narrow: "below",
    cell: (row) => formatMs(row.medianMs),
  },
  {
    id: "p99",
    head: "p99",
    align: "right",
    width: "md:w-28",
    narrow: "belowTrail",
    cell: (row) => formatMs(row.p99Ms),
  },
  { id: "max", head: "Slowest", align: "right", width: "md:w-28 max-lg:hidden", cell: (row) => formatMs(row.maxMs) },
];

export function NodeScreen() {
  return (
    <>
      <div className="page-title">
        <h1>Node</h1>
        <DataLinks method="explorer_getNodeStatus" params={[]} />
      </div>
      <NodeProblems />
      <QueryContent framed query={nodeStatusQuery(useSource())} rows={10}>
        {(status) => (
          <>
            <Facts status={status} />
            <NodeHistory />
            <Sheet id="methods" title="Requests per method">
              <DataTable
                caption="Requests per method"
                columns={methodColumns}
                rows={status.methods}
                getKey={(row) => row.method}
              />
            </Sheet>
          </>
        )}
      </QueryContent>
    </>
  );
}

function Facts({ status: { version, uptimeMs, head, store, pool, executor } }: { status: Status }) {
  return (
    <Sheet>
      <InfoList label="Node" request={nodeStatusQuery(useSource()).queryKey}>
        <InfoRow label="Version">{version}</InfoRow>
        <InfoRow label="Uptime">{formatDuration(uptimeMs / 1000)}</InfoRow>
        <InfoRow label="Head">
          <BlockLink number={Number(head.number)} />
        </InfoRow>
        <InfoRow label="Head age">{formatDuration(head.ageMs / 1000)}</InfoRow>
        <InfoRow label="Database">{formatBytes(store.bytes)}</InfoRow>
        <InfoRow label="Index">
          {store.readModelBehind === 0
            ? "up to date"
            : `${store.readModelBehind} ${plural(store.readModelBehind, "block")} behind`}
        </InfoRow>
        <InfoRow label="Pool">
          {pool.pending} pending, {pool.queued} queued
        </InfoRow>
        <InfoRow label="Idle workers">{executor.inactiveExecutors}</InfoRow>
        <InfoRow label="Calls since start">{formatInteger(executor.totalRequests)}</InfoRow>
        <InfoRow label="Failed calls">{formatInteger(executor.totalErrors)}</InfoRow>
        <InfoRow label="Rejected (queue full)">{formatInteger(executor.queueRejections)}</InfoRow>
        <InfoRow label="Avg. queue time">{formatMs(executor.averageRequestAgeMs)}</InfoRow>
      </InfoList>
    </Sheet>
  );
}
