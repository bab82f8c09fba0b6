"use client";
/**
 * How the node does: its head, its store, its workers, and its requests per method, now and over time. This page alone
 * asks by the clock, because what it shows is the load itself.
 */
import { useQuery } from "@tanstack/react-query";
import { BlockLink } from "@/components/chain/BlockLink";
import { type Column, DataTable } from "@/components/chain/DataTable";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useSource } from "@/components/chain/NetworkContext";
import { DataLinks } from "@/components/explorer/DataLinks";
import { QueryFailure } from "@/components/explorer/QueryFailure";
import { SkeletonRows } from "@/components/explorer/SkeletonRows";
import { Sheet } from "@/components/layout/Sheet";
import { NodeHistory } from "@/components/node/NodeHistory";
import { formatDuration } from "@/lib/formatTime";
import { t } from "@/lib/messages/translateNode";
import { nodeStatusQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatBytes, formatInteger } from "@/lib/units";

type Status = RpcResult<"explorer_getNodeStatus">;
type MethodRow = Status["methods"][number];

const formatMs = (value: number) => `${Number(value.toPrecision(3))} ms`;

const methodColumns: Column<MethodRow>[] = [
  { id: "method", head: t("node.method"), narrow: "lead", cell: (row) => <code className="mono">{row.method}</code> },
  {
    id: "requests",
    head: t("node.requests"),
    align: "right",
    width: "sm:w-28",
    narrow: "trail",
    cell: (row) => formatInteger(row.requests),
  },
  {
    id: "errors",
    head: t("node.failed"),
    align: "right",
    width: "sm:w-24",
    cell: (row) => <span className={row.errors === 0 ? "text-ink-3" : ""}>{formatInteger(row.errors)}</span>,
  },
  { id: "mean", head: t("node.mean"), align: "right", width: "sm:w-28", cell: (row) => formatMs(row.meanMs) },
  {
    id: "median",
    head: t("node.median"),
    align: "right",
    width: "sm:w-28",
    narrow: "below",
    cell: (row) => formatMs(row.medianMs),
  },
  {
    id: "p99",
    head: t("node.p99"),
    align: "right",
    width: "sm:w-28",
    narrow: "belowTrail",
    cell: (row) => formatMs(row.p99Ms),
  },
  { id: "max", head: t("node.max"), align: "right", width: "sm:w-28", cell: (row) => formatMs(row.maxMs) },
];

export function NodeScreen() {
  const { data, error, refetch } = useQuery(nodeStatusQuery(useSource()));
  return (
    <>
      <div className="page-title">
        <h1>{t("node.title")}</h1>
        <span className="ml-auto">
          <DataLinks method="explorer_getNodeStatus" params={[]} />
        </span>
      </div>
      {data ? (
        <>
          <Facts status={data} />
          <NodeHistory />
          <Sheet id="methods" title={t("node.methods")}>
            <DataTable
              caption={t("node.methods")}
              columns={methodColumns}
              rows={data.methods}
              getKey={(row) => row.method}
            />
          </Sheet>
        </>
      ) : (
        <Sheet>
          {error ? (
            <QueryFailure error={error} method="explorer_getNodeStatus" onRetry={refetch} />
          ) : (
            <SkeletonRows rows={10} label={t("loading.rows")} />
          )}
        </Sheet>
      )}
    </>
  );
}

function Facts({ status: { version, uptimeMs, head, store, pool, executor } }: { status: Status }) {
  return (
    <Sheet>
      <InfoList label={t("node.facts")} request={nodeStatusQuery(useSource()).queryKey}>
        <InfoRow label={t("node.version")}>{version}</InfoRow>
        <InfoRow label={t("node.uptime")}>{formatDuration(uptimeMs / 1000)}</InfoRow>
        <InfoRow label={t("node.head")}>
          <BlockLink number={Number(head.number)} />
        </InfoRow>
        <InfoRow label={t("node.headAge")}>{formatDuration(head.ageMs / 1000)}</InfoRow>
        <InfoRow label={t("node.store")}>{formatBytes(store.bytes)}</InfoRow>
        <InfoRow label={t("node.readModel")}>
          {store.readModelBehind === 0
            ? t("node.readModelDone")
            : t("node.readModelBehind", { count: store.readModelBehind })}
        </InfoRow>
        <InfoRow label={t("node.pool")}>{t("pool.counts", { pending: pool.pending, queued: pool.queued })}</InfoRow>
        <InfoRow label={t("node.idle")}>{executor.inactiveExecutors}</InfoRow>
        <InfoRow label={t("node.total")}>{formatInteger(executor.totalRequests)}</InfoRow>
        <InfoRow label={t("node.errors")}>{formatInteger(executor.totalErrors)}</InfoRow>
        <InfoRow label={t("node.rejections")}>{formatInteger(executor.queueRejections)}</InfoRow>
        <InfoRow label={t("node.age")}>{formatMs(executor.averageRequestAgeMs)}</InfoRow>
      </InfoList>
    </Sheet>
  );
}
