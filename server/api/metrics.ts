/**
 * Counters, histograms and gauges in the Prometheus text format, and the GET /api/metrics handler. Label values must
 * come from a small fixed set: never use a string that a client chooses.
 */
import { findReadOnlyAnswer } from "@/server/http/answers";
import type { HttpHandler } from "@/server/http/types";

type Labels = Record<string, string>;

type Counter = { add(labels: Labels, by?: number): void };
type Histogram = { observe(labels: Labels, value: number): void };
export type Reading = { labels: Labels; value: number };

export type Metrics = {
  counter(name: string, help: string): Counter;
  /** `bounds` are the upper limits of the buckets, in ascending order. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** `read` runs on each scrape. If it rejects, the gauge is omitted. */
  gauge(name: string, help: string, read: () => Promise<Reading[]>): void;
  /** Like `gauge`, but for a total that is counted elsewhere and only grows. */
  readCounter(name: string, help: string, read: () => Promise<Reading[]>): void;
  /** Returns all metrics in the Prometheus text format. */
  render(): Promise<string>;
};

type Series = { labels: Labels; counts: number[]; sum: number; count: number };

export function createMetrics(): Metrics {
  const parts: (() => Promise<string[]>)[] = [];
  const begin = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  const toReader = (type: "gauge" | "counter") => (name: string, help: string, read: () => Promise<Reading[]>) => {
    parts.push(async () => {
      const readings = await read().catch(() => []);
      return [
        ...begin(name, help, type),
        ...readings.map(({ labels, value }) => `${name}${toLabels(labels)} ${value}`),
      ];
    });
  };

  return {
    counter(name, help) {
      const values = new Map<string, number>();
      parts.push(async () => [
        ...begin(name, help, "counter"),
        ...[...values].map(([at, value]) => `${name}${at} ${value}`),
      ]);
      return {
        add(labels, by = 1) {
          const at = toLabels(labels);
          values.set(at, (values.get(at) ?? 0) + by);
        },
      };
    },

    histogram(name, help, bounds) {
      const all = new Map<string, Series>();
      parts.push(async () => [
        ...begin(name, help, "histogram"),
        ...[...all.values()].flatMap(({ labels, counts, sum, count }) => [
          ...bounds.map((bound, at) => `${name}_bucket${toLabels({ ...labels, le: String(bound) })} ${counts[at]}`),
          `${name}_bucket${toLabels({ ...labels, le: "+Inf" })} ${count}`,
          `${name}_sum${toLabels(labels)} ${sum}`,
          `${name}_count${toLabels(labels)} ${count}`,
        ]),
      ]);
      return {
        observe(labels, value) {
          const at = toLabels(labels);
          const series = all.get(at) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
          all.set(at, series);
          for (const [index, bound] of bounds.entries()) if (value <= bound) series.counts[index]! += 1;
          series.sum += value;
          series.count += 1;
        },
      };
    },

    gauge: toReader("gauge"),
    readCounter: toReader("counter"),

    async render() {
      const lines = await Promise.all(parts.map((part) => part()));
      return `${lines.flat().join("\n")}\n`;
    },
  };
}

export function createMetricsHandler(metrics: Metrics): HttpHandler {
  return async ({ method }) =>
    findReadOnlyAnswer(method) ?? {
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
      body: await metrics.render(),
    };
}

function toLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
