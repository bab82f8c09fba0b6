"use client";
/**
 * The node's health: head, store, workers, and requests per method. This is the only page that polls, because no event
 * reports a change in load.
 */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Hinted } from "@/components/atoms/Hinted";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { Endpoints } from "@/components/node/Endpoints";
import { formatMs } from "@/components/node/formatMs";
import { formatSpan } from "@/components/node/formatSpan";
import { NodeHistory } from "@/components/node/NodeHistory";
import { NodeMethods } from "@/components/node/NodeMethods";
import { NodeProblems } from "@/components/node/NodeProblems";
import { toSectionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { nodeStatusQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatBytes, formatInteger } from "@/lib/units";

type Status = RpcResult<"explorer_getNodeStatus">;

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
            {/* All rows are equally high, so that they align across the sheets. */}
            <div className="grid min-w-0 gap-6 md:grid-cols-2 lg:grid-cols-3 md:max-lg:[&>:last-child]:col-span-2 [&_.info-row]:min-h-10.5 [&_.info-row]:content-center">
              <Facts status={status} />
              <Endpoints />
            </div>
            <NodeHistory />
            <NodeMethods methods={status.methods} />
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

function Facts({ status: { head, store, pool, executor, methods, uptimeMs } }: { status: Status }) {
  const { name, chainId, embedded } = useNetwork();
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
              ? "An old head is fine: blocks are mined when transactions arrive"
              : "An old head is fine as long as the remote node responds"
          }
          note={`${formatSpan(head.ageMs / 1000)} old`}
        >
          <BlockLink number={Number(head.number)} />
        </Reading>
        <Reading label="Index" hint="For address and token lists">
          {behind === 0 ? "Up to date" : `${behind} ${plural(behind, "block")} behind`}
        </Reading>
        <Reading label="Pool" note={`${pool.queued} queued`}>
          <AppLink href={toSectionPath(name, "txpool")}>{pool.pending} pending</AppLink>
        </Reading>
        <Reading label="Database" note="on disk">
          {formatBytes(store.bytes)}
        </Reading>
      </Group>
      <Group title="Activity since startup">
        <Reading label="Uptime">{formatSpan(uptimeMs / 1000)}</Reading>
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
