"use client";
/**
 * The node's health: head, store, workers, and requests per method, now and over time. Only this page polls on a timer,
 * because it shows load, which changes without events.
 */
import { type ReactNode, useState } from "react";
import { BlockLink } from "@/components/atoms/BlockLink";
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
            <Methods methods={status.methods} />
          </>
        )}
      </QueryContent>
    </>
  );
}

/** "eth" of "eth_call". */
const toNamespace = (method: string) => method.split(/[_.]/, 1)[0] ?? method;

function Methods({ methods }: { methods: MethodRow[] }) {
  const [namespace, setNamespace] = useState("");
  const namespaces = [...new Set(methods.map(({ method }) => toNamespace(method)))].toSorted();
  const shown = methods.filter(({ method }) => namespace === "" || toNamespace(method) === namespace);
  return (
    <Sheet
      id="methods"
      title="Requests per method"
      aside={
        <label className="flex items-center gap-2 text-13 text-ink-2">
          Namespace
          <select className="field w-auto!" value={namespace} onChange={(event) => setNamespace(event.target.value)}>
            <option value="">All</option>
            {namespaces.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      }
    >
      <DataTable caption="Requests per method" columns={methodColumns} rows={shown} getKey={(row) => row.method} />
    </Sheet>
  );
}

function Facts({ status: { version, uptimeMs, head, store, pool, executor, methods } }: { status: Status }) {
  const behind = store.readModelBehind;
  const requests = methods.reduce((sum, method) => sum + method.requests, 0);
  const errors = methods.reduce((sum, method) => sum + method.errors, 0);
  return (
    <dl aria-label="Node" className="sheet grid gap-px overflow-hidden bg-line! sm:grid-cols-2 lg:grid-cols-4">
      <Tile label="Head" note={`${formatDuration(head.ageMs / 1000)} old`}>
        <BlockLink number={Number(head.number)} />
      </Tile>
      <Tile label="Index" note="Lists of addresses and tokens">
        {behind === 0 ? "up to date" : `${behind} ${plural(behind, "block")} behind`}
      </Tile>
      <Tile label="Pool" note={`${pool.queued} queued`}>
        {pool.pending} pending
      </Tile>
      <Tile label="Database" note={`Version ${version}, up ${formatDuration(uptimeMs / 1000)}`}>
        {formatBytes(store.bytes)}
      </Tile>
      <Tile label="Requests" note={`${formatInteger(errors)} failed`}>
        {formatInteger(requests)}
      </Tile>
      <Tile label="EVM calls" note={`${formatInteger(executor.totalErrors)} failed`}>
        {formatInteger(executor.totalRequests)}
      </Tile>
      <Tile label="Queue time" note={`${formatInteger(executor.queueRejections)} rejected (queue full)`}>
        {formatMs(executor.averageRequestAgeMs)}
      </Tile>
      <Tile label="Idle workers" note="Threads that run calls">
        {executor.inactiveExecutors}
      </Tile>
    </dl>
  );
}

function Tile({ label, note, children }: { label: string; note: string; children: ReactNode }) {
  return (
    <div className="info-row flex! flex-col! gap-0! border-b-0! bg-surface px-4 py-3">
      <dt>{label}</dt>
      <dd className="font-medium text-16 leading-7!">{children}</dd>
      <dd className="text-12 text-ink-3 leading-5!">{note}</dd>
    </div>
  );
}
