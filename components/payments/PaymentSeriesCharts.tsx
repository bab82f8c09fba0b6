/**
 * Charts of settled payments over time in one token, either of all payments or for one resource or payee. A few points
 * are shown as numbers instead.
 */
"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Choices } from "@/components/atoms/Choices";
import { Chart } from "@/components/charts/Chart";
import { formatPeriod } from "@/components/charts/formatPeriod";
import { mostBars } from "@/components/charts/scale";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { toShortHex } from "@/lib/address";
import { formatDate } from "@/lib/formatTime";
import { findToken } from "@/lib/networks";
import { plural } from "@/lib/plural";
import { paymentSeriesQuery } from "@/lib/query/queries";
import type { PaymentTotal } from "@/lib/rpc/explorerShapes";
import type { RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import { PaymentSpanList } from "./PaymentSpanList";
import { type SeriesFilters, seriesTotalsQuery } from "./seriesTotals";

const round = (value: number) => Number(value.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 6 });

/** With fewer points, a chart has no shape to show. */
const leastPoints = 5;

const lengths = [
  { seconds: 86_400, name: "day" },
  { seconds: 3600, name: "hour" },
  { seconds: 60, name: "minute" },
  { seconds: 1, name: "second" },
] as const;

/** The length of a span in words, such as "hour" or "5 minutes". */
function toLengthText({ from, to }: { from: string; to: string }): string {
  const spanSeconds = Number(BigInt(to) - BigInt(from)) / 1000;
  const { seconds, name } = lengths.find((length) => spanSeconds % length.seconds === 0) ?? lengths[3];
  const count = spanSeconds / seconds;
  return count === 1 ? name : `${round(count)} ${plural(count, name)}`;
}

/** Without seconds if they are zero. */
const toShortDate = (time: number) => formatDate(time).replace(":00 UTC", " UTC");

/** The tokens that were paid, most payments first. */
function listAssets(totals: readonly PaymentTotal[]): string[] {
  const counts = new Map<string, number>();
  for (const { asset, payments } of totals) {
    if (asset !== null && Number(payments) > 0) counts.set(asset, (counts.get(asset) ?? 0) + Number(payments));
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([asset]) => asset);
}

export function PaymentSeriesCharts({ filters = {} }: { filters?: SeriesFilters }) {
  const { network, source, renderedAt } = useNetworkContext();
  const [asset, setAsset] = useState<string>();
  const query = paymentSeriesQuery(source, asset === undefined ? filters : { ...filters, asset });
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const { data: totals } = useQuery(seriesTotalsQuery(source, filters));
  const assets = listAssets(totals?.items ?? []);
  if (!data || (data.spans.length < 2 && assets.length < 2)) return null;
  const spans = data.spans.length < leastPoints ? data.spans : withSpansUntil(data.spans, renderedAt * 1000);
  return (
    <section aria-labelledby="over-time" className="flex min-w-0 flex-col gap-4">
      <div className="page-title">
        <h2 id="over-time" className="font-semibold text-16">
          Payments over time
        </h2>
        <p className="text-13 text-ink-2 max-sm:order-1 max-sm:basis-full">
          <Period spans={spans} />
        </p>
        {assets.length > 1 && (
          <Choices
            names={assets}
            labels={Object.fromEntries(
              assets.map((each) => [each, findToken(network, each)?.symbol ?? toShortHex(each)]),
            )}
            chosen={asset ?? data.asset ?? undefined}
            onChoose={setAsset}
          />
        )}
        <DataLinks method="explorer_getPaymentSeries" params={query.queryKey[2]} />
      </div>
      <Series key={data.asset} asset={data.asset} spans={spans} />
      {data.cut && <p className="text-13 text-ink-2">Only the latest payments are included.</p>}
    </section>
  );
}

type Spans = RpcResult<"explorer_getPaymentSeries">["spans"];

/**
 * The series ends with the last payment. Adds the empty spans since then, unless the bars would get too narrow: the
 * heading then says when the series ends.
 */
function withSpansUntil(spans: Spans, nowMs: number): Spans {
  const last = spans.at(-1);
  if (!last) return spans;
  const [fromMs, toMs] = [Number(last.from), Number(last.to)];
  const lengthMs = toMs - fromMs;
  const missing = Math.ceil((nowMs - toMs) / lengthMs);
  if (missing <= 0 || spans.length + missing > mostBars) return spans;
  const empty = Array.from({ length: missing }, (_, index) => ({
    from: toQuantity(toMs + index * lengthMs),
    to: toQuantity(toMs + (index + 1) * lengthMs),
    payments: "0x0" as const,
    settledAmount: "0x0" as const,
  }));
  return [...spans, ...empty];
}

/** The period that the charts cover. The last span may not be over yet. */
function Period({ spans }: { spans: Spans }) {
  const { renderedAt } = useNetworkContext();
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return null;
  const [from, to] = [first.from, last.to].map((time) => Math.floor(Number(time) / 1000)) as [number, number];
  return to > renderedAt ? `Since ${toShortDate(from)}` : formatPeriod(from, to);
}

function Series({ asset, spans }: Pick<RpcResult<"explorer_getPaymentSeries">, "asset" | "spans">) {
  const { network, renderedAt } = useNetworkContext();
  const [at, setAt] = useState<number | undefined>(undefined);
  const [first] = spans;
  if (!first) {
    return (
      <Sheet>
        <Empty title="No recent payments in this token" />
      </Sheet>
    );
  }
  const token = findToken(network, asset ?? "");
  const times = spans.map(({ from }) => Math.floor(Number(from) / 1000));
  // Spans of whole minutes need no seconds.
  const hasSeconds = times.some((time) => time % 60 !== 0);
  const labels = times.map((time) => (hasSeconds ? formatDate(time) : toShortDate(time)));
  const toPoints = (values: number[]) =>
    values.map((value, index) => ({ label: labels[index]!, value, at: times[index]! }));
  const length = toLengthText(first);
  const settled = token ? `Settled ${token.symbol}` : "Settled";
  if (spans.length < leastPoints) {
    return <PaymentSpanList title={`${settled} per ${length}`} spans={spans} labels={labels} token={token?.address} />;
  }
  const shared = {
    at,
    onAt: setAt,
    head: "Since",
    kind: "bars",
    format: round,
    isSum: true,
    latest: Number(spans.at(-1)!.to) > renderedAt * 1000 ? "Current bar:" : "Last bar:",
  } as const;
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Chart
        {...shared}
        title={`${settled} payments per ${length}`}
        unit=""
        note="Includes zero-amount payments"
        points={toPoints(spans.map(({ payments }) => Number(payments)))}
      />
      {token && (
        <Chart
          {...shared}
          title={`${settled} per ${length}`}
          unit={token.symbol}
          // A JavaScript number is precise enough for the chart. The list of payments has the exact amounts.
          points={toPoints(spans.map(({ settledAmount }) => Number(settledAmount) / 10 ** token.decimals))}
        />
      )}
    </div>
  );
}
