"use client";
/**
 * Charts of metrics that the node has recorded over time. All charts share one crosshair. The charts about requests can
 * show a single method.
 */
import { useState } from "react";
import { Chart } from "@/components/charts/Chart";
import { useSource } from "@/components/layout/NetworkContext";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { formatSpan, spanUnits } from "@/components/node/formatSpan";
import { formatIso } from "@/lib/formatTime";
import { nodeHistoryQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

type Sample = RpcResult<"explorer_getNodeHistory">["samples"][number];

const { format: formatMeasure } = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const formatAge = (age: number) => (age > 0 && age < 0.1 ? "<0.1" : formatMeasure(age));

/**
 * The number of requests in a sample and their mean time. Counts only the requests for `method`, or all requests if
 * `method` is empty.
 */
function findRequests(sample: Sample, method: string): { requests: number; meanMs: number } {
  if (method === "") return sample;
  return sample.methods.find((each) => each.method === method) ?? { requests: 0, meanMs: 0 };
}

/** The largest unit of which the highest age has a few, so that one decimal is enough. */
function toAgeUnit(samples: readonly Sample[]) {
  const oldestMs = Math.max(...samples.map(({ headAgeMs }) => headAgeMs));
  return spanUnits.find(({ seconds }) => oldestMs >= 3 * seconds * 1000) ?? spanUnits.at(-1)!;
}

function toCharts(samples: readonly Sample[], method: string, intervalMs: number) {
  const age = toAgeUnit(samples);
  const toRate = (count: number) => (count * 1000) / intervalMs;
  const readRate = (sample: Sample) => toRate(findRequests(sample, method).requests);
  const readLatency = (sample: Sample) => {
    const { requests, meanMs } = findRequests(sample, method);
    return requests === 0 ? null : meanMs;
  };
  const readCalls = (sample: Sample) => toRate(sample.calls);
  return [
    { title: "Requests", unit: "/s", kind: "bars", format: formatMeasure, read: readRate },
    { title: "Mean latency", unit: "ms", kind: "line", format: formatMeasure, read: readLatency },
    { title: "EVM calls", unit: "/s", kind: "bars", format: formatMeasure, read: readCalls },
    {
      title: "Head age",
      unit: age.name,
      kind: "line",
      format: formatAge,
      read: (sample: Sample) => sample.headAgeMs / (age.seconds * 1000),
    },
    {
      title: "Database",
      unit: "MB",
      kind: "line",
      format: formatMeasure,
      read: (sample: Sample) => sample.storeBytes / 1e6,
    },
  ] as const;
}

export function NodeHistory() {
  const query = nodeHistoryQuery(useSource());
  return (
    <QueryContent framed query={query} rows={6}>
      {(history) => <History history={history} params={query.queryKey[2]} />}
    </QueryContent>
  );
}

type HistoryProps = { history: RpcResult<"explorer_getNodeHistory">; params: readonly unknown[] };

function History({ history: { samples, intervalMs }, params }: HistoryProps) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const [method, setMethod] = useState("");
  const spanMs = Number(samples.at(-1)?.at ?? 0) - Number(samples[0]?.at ?? 0);
  const methods = [...new Set(samples.flatMap((sample) => sample.methods.map((each) => each.method)))].toSorted();
  return (
    <section aria-labelledby="node-over" className="flex min-w-0 flex-col gap-4">
      {/* On narrower screens, the select is below the title. */}
      <div className="page-title max-lg:gap-y-3 sm:max-lg:[&>.data-links]:ml-auto">
        <h2 id="node-over" className="font-semibold text-16">
          Over time
        </h2>
        <p className="text-13 text-ink-2 max-sm:-mt-2">
          {spanMs >= 60_000 ? `Last ${formatSpan(spanMs / 1000)}, one` : "One"} sample every {intervalMs / 1000} s
        </p>
        <label className="flex min-w-0 max-w-full items-center gap-x-2 gap-y-1 max-lg:order-1 max-lg:basis-full max-sm:flex-col max-sm:items-stretch lg:ml-auto">
          <span className="text-13 text-ink-2">Method (for requests and latency)</span>
          <select
            className="field max-w-full sm:w-auto! sm:max-lg:max-w-64"
            value={method}
            onChange={(event) => setMethod(event.target.value)}
          >
            <option value="">All methods</option>
            {methods.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <DataLinks method="explorer_getNodeHistory" params={params} />
      </div>
      {/* The charts that vary most are the widest. */}
      <div className="grid min-w-0 gap-6 md:max-lg:grid-cols-2 md:max-lg:[&>:first-child]:col-span-2 lg:grid-cols-6 lg:[&>*]:col-span-2 lg:[&>:nth-child(-n+2)]:col-span-3">
        {toCharts(samples, method, intervalMs).map(({ title, unit, kind, format, read }) => (
          <Chart
            key={title}
            title={title}
            unit={unit}
            kind={kind}
            points={samples.map((sample) => {
              const time = Math.floor(Number(sample.at) / 1000);
              return { label: formatIso(time).slice(11, 19), value: read(sample), at: time };
            })}
            format={format}
            at={at}
            onAt={setAt}
            head="Time"
            gaps="Breaks in the line: no requests"
          />
        ))}
      </div>
    </section>
  );
}
