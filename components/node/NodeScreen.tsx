"use client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { BlockLink } from "@/components/atoms/BlockLink";
/**
 * The node's health: head, store, workers, and requests per method. This is the only page that polls, because no event
 * reports a change in load.
 */
import { Hinted } from "@/components/atoms/Hinted";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { Endpoints } from "@/components/node/Endpoints";
import { NodeHistory } from "@/components/node/NodeHistory";
import { NodeProblems } from "@/components/node/NodeProblems";
import { formatDuration } from "@/lib/formatTime";
import { plural } from "@/lib/plural";
import { nodeStatusQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatBytes, formatInteger } from "@/lib/units";

type Status = RpcResult<"explorer_getNodeStatus">;
type MethodRow = Status["methods"][number];

/** One decimal below 10 ms. */
const formatMs = (value: number) =>
  value > 0 && value < 0.1 ? "< 0.1 ms" : `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ms`;

/** A value's name, which the column's header has on wider screens. */
const phoneClass = "text-ink-3 md:hidden";

const methodColumns: Column<MethodRow>[] = [
  { id: "method", head: "Method", narrow: "lead", cell: (row) => <code className="mono">{row.method}</code> },
  {
    id: "requests",
    head: "Requests",
    align: "right",
    width: "md:w-24 lg:w-28",
    narrow: "trail",
    cell: (row) => (
      <>
        {formatInteger(row.requests)} <span className={phoneClass}>{plural(row.requests, "request")}</span>
      </>
    ),
  },
  {
    id: "errors",
    head: "Errors",
    align: "right",
    width: "md:w-20 lg:w-24",
    cell: (row) => <span className={row.errors === 0 ? "text-ink-3" : ""}>{formatInteger(row.errors)}</span>,
  },
  { id: "mean", head: "Mean", align: "right", width: "md:w-28 max-lg:hidden", cell: (row) => formatMs(row.meanMs) },
  {
    id: "median",
    head: "p50",
    align: "right",
    width: "md:w-24 lg:w-28",
    narrow: "below",
    cell: (row) => (
      <>
        <span className={phoneClass}>p50</span> {formatMs(row.medianMs)}
      </>
    ),
  },
  {
    id: "p99",
    head: "p99",
    align: "right",
    width: "md:w-24 lg:w-28",
    narrow: "belowTrail",
    cell: (row) => (
      <>
        <span className={phoneClass}>p99</span> {formatMs(row.p99Ms)}
      </>
    ),
  },
  { id: "max", head: "Slowest", align: "right", width: "md:w-28 max-lg:hidden", cell: (row) => formatMs(row.maxMs) },
];

export function NodeScreen() {
  return (
    <>
      <div className="page-title">
        <h1>Node</h1>
        <NodeVersion />
        <DataLinks method="explorer_getNodeStatus" params={[]} />
      </div>
      <NodeProblems />
      <QueryContent framed query={nodeStatusQuery(useSource())} rows={10}>
        {(status) => (
          <>
            <div className="grid min-w-0 gap-6 md:grid-cols-2 lg:grid-cols-3 md:max-lg:[&>:last-child]:col-span-2">
              <Facts status={status} />
              <Endpoints />
            </div>
            <NodeHistory />
            <Methods methods={status.methods} />
          </>
        )}
      </QueryContent>
    </>
  );
}

function NodeVersion() {
  const { data } = useQuery(nodeStatusQuery(useSource()));
  return data && <p className="text-ink-2">Version {data.version}</p>;
}

/** The number of methods listed before the reader asks for all of them. */
const firstMethods = 6;

/** Returns "eth" for "eth_call". */
const toNamespace = (method: string) => method.split(/[_.]/, 1)[0] ?? method;

function Methods({ methods }: { methods: MethodRow[] }) {
  const [namespace, setNamespace] = useState("");
  const [isWhole, setWhole] = useState(false);
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
      <DataTable
        caption="Requests per method"
        columns={methodColumns}
        rows={isWhole ? shown : shown.slice(0, firstMethods)}
        getKey={(row) => row.method}
      />
      {!isWhole && shown.length > firstMethods && (
        <p className="border-line border-t px-4 py-2">
          <button type="button" className="button" onClick={() => setWhole(true)}>
            Show all {shown.length} methods
          </button>
        </p>
      )}
    </Sheet>
  );
}

function Facts({ status: { head, store, pool, executor, methods, uptimeMs } }: { status: Status }) {
  const { chainId, embedded } = useNetwork();
  const behind = store.readModelBehind;
  const requests = methods.reduce((sum, method) => sum + method.requests, 0);
  const errors = methods.reduce((sum, method) => sum + method.errors, 0);
  return (
    <>
      <Group title="Chain">
        <Reading label="Chain ID">{chainId}</Reading>
        <Reading
          label="Head"
          hint={
            embedded
              ? "It may be old: blocks are mined when transactions arrive"
              : "It may be old, as long as the remote node responds"
          }
          note={`${formatDuration(head.ageMs / 1000)} old`}
        >
          <BlockLink number={Number(head.number)} />
        </Reading>
        <Reading label="Index" hint="For address and token lists">
          {behind === 0 ? "Up to date" : `${behind} ${plural(behind, "block")} behind`}
        </Reading>
        <Reading label="Pool" note={`${pool.queued} queued`}>
          {pool.pending} pending
        </Reading>
        <Reading label="Database" note="on disk">
          {formatBytes(store.bytes)}
        </Reading>
      </Group>
      <Group title="Calls since startup">
        <Reading label="Uptime">{formatDuration(uptimeMs / 1000)}</Reading>
        <Reading label="Requests" note={`${formatInteger(errors)} failed`}>
          {formatInteger(requests)}
        </Reading>
        <Reading label="EVM calls" note={`${formatInteger(executor.totalErrors)} failed`}>
          {formatInteger(executor.totalRequests)}
        </Reading>
        <Reading label="Queue time" note={`${formatInteger(executor.queueRejections)} rejected`}>
          {formatMs(executor.averageRequestAgeMs)}
        </Reading>
        <Reading label="Idle workers" hint="Worker threads for EVM calls">
          {executor.inactiveExecutors}
        </Reading>
      </Group>
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Sheet id={`node-${title.split(" ", 1)[0]}`} title={title}>
      <dl aria-label={title}>{children}</dl>
    </Sheet>
  );
}

/** `note` is a second value, and `hint` explains the label. */
function Reading({
  label,
  note,
  hint,
  children,
}: {
  label: string;
  note?: string;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <div className="info-row grid-cols-[6.5rem_auto_minmax(0,1fr)]! items-baseline gap-x-4!">
      <dt>
        <Hinted hint={hint}>{label}</Hinted>
      </dt>
      <dd className="font-medium">{children}</dd>
      {note !== undefined && <dd className="text-right text-12 text-ink-3">{note}</dd>}
    </div>
  );
}
