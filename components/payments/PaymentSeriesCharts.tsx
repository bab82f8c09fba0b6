/**
 * Charts of settled payments over time, either for all payments or for one resource or payee. A few points are shown as
 * numbers instead.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TokenAmount } from "@/components/atoms/Amount";
import { Chart } from "@/components/charts/Chart";
import { useNetwork, useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { formatDate } from "@/lib/formatTime";
import { plural } from "@/lib/plural";
import { paymentSeriesQuery } from "@/lib/query/queries";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatInteger, toPercent } from "@/lib/units";
import { toTokenShape } from "./paymentAmount";
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

export function PaymentSeriesCharts({ filters }: { filters: SeriesFilters }) {
  const { network, source, renderedAt } = useNetworkContext();
  const { data } = useQuery(paymentSeriesQuery(source, filters));
  const [at, setAt] = useState<number | undefined>(undefined);
  if (!data || data.spans.length < 2) return null;
  const token = network.tokens.find(({ address }) => address.toLowerCase() === data.asset);
  const times = data.spans.map(({ from }) => Math.floor(Number(from) / 1000));
  // Spans of whole minutes need no seconds.
  const hasSeconds = times.some((time) => time % 60 !== 0);
  const toLabel = (time: number) => (hasSeconds ? formatDate(time) : formatDate(time).replace(":00 UTC", " UTC"));
  const toPoints = (values: number[]) =>
    values.map((value, index) => ({ label: toLabel(times[index]!), value, at: times[index]! }));
  const length = toLengthText(data.spans[0]!);
  // Payments in other tokens aren't charted.
  const settled = token ? `Settled ${token.symbol}` : "Settled";
  const note = <SeriesNote filters={filters} asset={data.asset} isCut={data.cut} />;
  if (data.spans.length < leastPoints) {
    return (
      <>
        <SpanList title={`${settled} per ${length}`} spans={data.spans} times={times} token={token?.address} />
        {note}
      </>
    );
  }
  // The series ends with the last payment, which may be long ago.
  const shared = {
    at,
    onAt: setAt,
    head: "Since",
    kind: "bars",
    format: round,
    isSum: true,
    latest: Number(data.spans.at(-1)!.to) > renderedAt * 1000 ? "So far:" : "Last bar:",
  } as const;
  return (
    <>
      <div className="grid gap-6 md:grid-cols-2">
        <Chart
          {...shared}
          title={`${settled} payments per ${length}`}
          unit=""
          points={toPoints(data.spans.map(({ payments }) => Number(payments)))}
        />
        {token && (
          <Chart
            {...shared}
            title={`${settled} per ${length}`}
            unit={token.symbol}
            // A JavaScript number is precise enough for the chart. The list of payments has the exact amounts.
            points={toPoints(data.spans.map(({ settledAmount }) => Number(settledAmount) / 10 ** token.decimals))}
          />
        )}
      </div>
      {note}
    </>
  );
}

/** Counts the payments that the charts leave out: older payments, and payments in other tokens. */
function SeriesNote({ filters, asset, isCut }: { filters: SeriesFilters; asset: string | null; isCut: boolean }) {
  const { data } = useQuery(seriesTotalsQuery(useSource(), filters));
  const totals = new Map<string, { payments: bigint; units: bigint }>();
  for (const total of data?.items ?? []) {
    if (total.asset === null || total.asset === asset || BigInt(total.payments) === 0n) continue;
    const { payments, units } = totals.get(total.asset) ?? { payments: 0n, units: 0n };
    totals.set(total.asset, {
      payments: payments + BigInt(total.payments),
      units: units + BigInt(total.settledAmount),
    });
  }
  // If there are too many sellers for one page of totals, the sums aren't known.
  const others = data?.next === null ? [...totals] : [];
  if (!isCut && others.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-13 text-ink-2">
      {isCut && <span>Only the latest payments are included.</span>}
      {others.map(([token, { payments, units }]) => (
        <span key={token}>
          Not in these charts: {formatInteger(payments)} {plural(Number(payments), "payment")},{" "}
          <TokenAmount units={units} token={token} />
        </span>
      ))}
    </p>
  );
}

/** One line for each span. The date is in the head if all spans have the same. */
function SpanList({
  title,
  spans,
  times,
  token,
}: {
  title: string;
  spans: RpcResult<"explorer_getPaymentSeries">["spans"];
  /** When each span begins, in seconds since the epoch. */
  times: readonly number[];
  token: string | undefined;
}) {
  const dates = times.map(formatDate);
  const [day = ""] = dates[0]?.split(" ", 1) ?? [];
  const isOneDay = dates.every((date) => date.startsWith(day));
  const { fractionDigits } = toTokenShape(
    useNetwork(),
    spans.map(({ settledAmount }) => ({ units: BigInt(settledAmount), asset: token ?? null })),
  );
  const most = spans.reduce((found, { payments }) => Math.max(found, Number(payments)), 1);
  return (
    <Sheet id="series" title={title} aside={isOneDay && <span className="text-13 text-ink-2">{day}</span>}>
      <ul className="grid grid-cols-[minmax(0,1fr)_auto_auto] text-13 sm:grid-cols-[auto_auto_minmax(0,20rem)_1fr]">
        {spans.map(({ from, payments, settledAmount }, index) => (
          <li
            key={from}
            className="col-span-full grid grid-cols-subgrid items-center gap-x-4 border-line px-4 py-2 not-last:border-b"
          >
            <span className="text-ink-2">{isOneDay ? dates[index]?.slice(day.length) : dates[index]}</span>
            <span className="text-right">
              {formatInteger(BigInt(payments))} {plural(Number(payments), "payment")}
            </span>
            {/* Compares the numbers of payments, so it is next to them. */}
            <span className="gas-bar w-full max-sm:hidden" aria-hidden>
              <span style={{ width: `${toPercent(BigInt(payments), BigInt(most))}%` }} />
            </span>
            <span className="text-right">
              {token && <TokenAmount units={BigInt(settledAmount)} token={token} fractionDigits={fractionDigits} />}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
