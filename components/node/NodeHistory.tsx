"use client";
/**
 * The node over time, from its own stored readings, so that a visitor also sees the past. All charts share one
 * crosshair; the request charts can show a single method.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Chart } from "@/components/charts/Chart";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { formatIso } from "@/lib/formatTime";
import { nodeHistoryQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

const chartTitles = {
  load: "Calls of the executor pool",
  requests: "Requests",
  latency: "Latency",
  headAge: "Head age",
  store: "Database",
};

const chartUnits = {
  load: "in flight",
  requests: "per second",
  latency: "ms on average",
  headAge: "s",
  store: "MB",
};

type Sample = RpcResult<"explorer_getNodeHistory">["samples"][number];

const format = (value: number) => Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 3 });

/** The requests and their mean time in a sample, of one method or of all. */
function findRequests(sample: Sample, method: string): { requests: number; meanMs: number } {
  if (method === "") return sample;
  return sample.methods.find((each) => each.method === method) ?? { requests: 0, meanMs: 0 };
}

function toCharts(method: string, intervalMs: number) {
  return [
    { id: "load", kind: "line", read: (sample: Sample) => sample.activeCalls + sample.waitingCalls },
    {
      id: "requests",
      kind: "bars",
      read: (sample: Sample) => (findRequests(sample, method).requests * 1000) / intervalMs,
    },
    {
      id: "latency",
      kind: "line",
      read: (sample: Sample) => {
        const { requests, meanMs } = findRequests(sample, method);
        return requests === 0 ? null : meanMs;
      },
    },
    { id: "headAge", kind: "line", read: (sample: Sample) => sample.headAgeMs / 1000 },
    { id: "store", kind: "line", read: (sample: Sample) => sample.storeBytes / 1e6 },
  ] as const;
}

export function NodeHistory() {
  const query = nodeHistoryQuery(useSource());
  const { data, error, refetch } = useQuery(query);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [method, setMethod] = useState("");
  if (!data) {
    return (
      <Sheet>
        {error ? (
          <QueryFailure error={error} method="explorer_getNodeHistory" onRetry={refetch} />
        ) : (
          <SkeletonRows rows={6} label="Loading rows" />
        )}
      </Sheet>
    );
  }
  const { samples, intervalMs } = data;
  const methods = [...new Set(samples.flatMap((sample) => sample.methods.map((each) => each.method)))].toSorted();
  return (
    <section aria-labelledby="node-over" className="flex min-w-0 flex-col gap-4">
      <div className="page-title">
        <h2 id="node-over" className="font-semibold text-16">
          Over time
        </h2>
        <label className="ml-auto flex min-w-0 max-w-full items-center gap-2 text-13 text-ink-2">
          Method
          <select className="field w-auto!" value={method} onChange={(event) => setMethod(event.target.value)}>
            <option value="">All</option>
            {methods.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <DataLinks method="explorer_getNodeHistory" params={query.queryKey[2]} />
      </div>
      <p className="text-13 text-ink-2">
        Last {Math.round((180 * intervalMs) / 60_000)} min, {intervalMs / 1000} s resolution (UTC)
      </p>
      <div className="grid min-w-0 gap-6 lg:grid-cols-2">
        {toCharts(method, intervalMs).map(({ id, kind, read }) => (
          <Chart
            key={id}
            title={chartTitles[id]}
            unit={chartUnits[id]}
            kind={kind}
            points={samples.map((sample) => ({
              label: formatIso(Math.floor(Number(sample.at) / 1000)).slice(11, 19),
              value: read(sample),
            }))}
            format={format}
            at={at}
            onAt={setAt}
            head="Time"
          />
        ))}
      </div>
    </section>
  );
}
