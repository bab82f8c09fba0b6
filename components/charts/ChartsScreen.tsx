"use client";
/** Charts of the newest blocks (base fee, gas, transactions and payments), and of all payments over time. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Chart } from "@/components/charts/Chart";
import { formatPeriod } from "@/components/charts/formatPeriod";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { PaymentSeriesCharts } from "@/components/payments/PaymentSeriesCharts";
import { seriesQuery } from "@/lib/query/explorerQueries";
import { smallGasPriceWei } from "@/lib/units";

const ranges = [50, 200, 1000] as const;

type Point = {
  number: string;
  timestamp: string;
  baseFeePerGas: string | null;
  gasUsed: string;
  gasLimit: string;
  transactions: string;
  payments: string;
};

const round = (value: number) =>
  Number(value >= 100 ? value.toFixed(0) : value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 6 });

const baseFee = {
  title: "Base fee",
  unit: "gwei",
  kind: "line",
  // A JavaScript number is precise enough for drawing a chart.
  read: ({ baseFeePerGas: fee }: Point) => (fee === null ? null : Number(fee) / 1e9),
} as const;
const baseFeeInWei = {
  ...baseFee,
  unit: "wei",
  read: ({ baseFeePerGas: fee }: Point) => (fee === null ? null : Number(fee)),
};

const charts = [
  { title: "Transactions per block", unit: "", kind: "bars", read: (point: Point) => Number(point.transactions) },
  { title: "Payments per block", unit: "", kind: "bars", read: (point: Point) => Number(point.payments) },
  {
    title: "Gas used (% of limit)",
    unit: "%",
    kind: "bars",
    // Not rounded to two decimals: on a quiet chain, most bars would have the same height. 0 / 0 is not a number.
    read: ({ gasUsed, gasLimit }: Point) => (100 * Number(gasUsed)) / Number(gasLimit) || 0,
  },
] as const;

/** Whether all base fees are too small to show in gwei. On an idle chain, they would round to 0 gwei. */
function isSmall(points: Point[]): boolean {
  return points.every(({ baseFeePerGas: fee }) => fee === null || BigInt(fee) < smallGasPriceWei);
}

/** The period that the blocks cover. */
function Period({ blocks }: { blocks: number }) {
  const { data } = useQuery(seriesQuery(useSource(), blocks));
  const [first, last] = [data?.blocks.find(({ number }) => Number(number) > 0), data?.blocks.at(-1)];
  if (!first || !last || Number(last.number) === 0) return null;
  return formatPeriod(Number(first.timestamp), Number(last.timestamp));
}

export function ChartsScreen({ blocks }: { blocks: number }) {
  const source = useSource();
  const [at, setAt] = useState<number | undefined>(undefined);
  return (
    <>
      <div className="page-title max-sm:gap-y-3">
        <h1>Charts</h1>
        <p className="text-ink-2 max-sm:-mt-2 sm:max-lg:order-1 sm:max-lg:basis-full">
          <Period blocks={blocks} />
        </p>
        <nav aria-label="Blocks" className="flex items-center gap-2 text-13 text-ink-2 sm:ml-auto">
          Last
          <span className="segmented">
            {ranges.map((range) => (
              <AppLink
                key={range}
                href={`/${source.network}/charts?blocks=${range}`}
                className="no-underline max-sm:px-3! max-sm:leading-9!"
                aria-current={range === blocks ? "true" : undefined}
              >
                {range.toLocaleString("en-US")}
              </AppLink>
            ))}
          </span>
          blocks
        </nav>
        <DataLinks method="explorer_getSeries" params={[blocks]} />
      </div>
      <QueryContent framed query={seriesQuery(source, blocks)} rows={12} label="Loading blocks">
        {({ blocks: all, paymentsCut }) => {
          // Skips the genesis block, which is empty and whose timestamp is unrelated to the other blocks' times.
          const blocks = all.filter(({ number }) => Number(number) > 0);
          return (
            <>
              {paymentsCut && (
                <p className="text-13 text-ink-2">
                  Only the latest payments are counted, so the oldest blocks may have more than shown.
                </p>
              )}
              <div className="grid min-w-0 gap-6 md:grid-cols-2">
                {[...charts, isSmall(blocks) ? baseFeeInWei : baseFee].map(({ title, unit, kind, read }) => (
                  <Chart
                    key={title}
                    title={title}
                    unit={unit}
                    kind={kind}
                    points={blocks.map((block) => ({
                      label: `Block ${Number(block.number)}`,
                      value: read(block),
                      at: Number(block.timestamp),
                      block: Number(block.number),
                    }))}
                    format={round}
                    at={at}
                    onAt={setAt}
                    head="Block"
                    isTall
                  />
                ))}
              </div>
            </>
          );
        }}
      </QueryContent>
      {/* Unlike the charts of blocks, these cover the whole ledger. */}
      <PaymentSeriesCharts />
    </>
  );
}
