"use client";
/** Charts of the newest blocks: base fee, gas, transactions, payments. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Chart } from "@/components/charts/Chart";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { seriesQuery } from "@/lib/query/explorerQueries";
import { smallGasPriceWei, toPercent } from "@/lib/units";

const chartTitles = {
  baseFee: "Base fee",
  gasUsed: "Gas used",
  transactions: "Transactions",
  payments: "Payments",
};

const chartUnits = {
  baseFee: "gwei",
  gasUsed: "% of the limit",
  transactions: "per block",
  payments: "per block",
};

const ranges = [50, 200, 1000] as const;

type Point = {
  number: string;
  baseFeePerGas: string | null;
  gasUsed: string;
  gasLimit: string;
  transactions: string;
  payments: string;
};

const round = (value: number) => Number(value.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 6 });

const charts = [
  // A base fee is far below 2^53 wei; only the drawing uses a number.
  { id: "baseFee", kind: "line", read: ({ baseFeePerGas: fee }: Point) => (fee === null ? null : Number(fee)) },
  { id: "gasUsed", kind: "bars", read: (point: Point) => toPercent(BigInt(point.gasUsed), BigInt(point.gasLimit)) },
  { id: "transactions", kind: "bars", read: (point: Point) => Number(point.transactions) },
  { id: "payments", kind: "bars", read: (point: Point) => Number(point.payments) },
] as const;

/** On an idle chain the base fee is a few wei, which gwei would round away. */
function isSmall(points: Point[]): boolean {
  return points.every(({ baseFeePerGas: fee }) => fee === null || BigInt(fee) < smallGasPriceWei);
}

export function ChartsScreen({ blocks }: { blocks: number }) {
  const source = useSource();
  const { data, error, refetch } = useQuery(seriesQuery(source, blocks));
  const [at, setAt] = useState<number | undefined>(undefined);
  const inWei = data !== undefined && isSmall(data.blocks);
  return (
    <>
      <div className="page-title">
        <h1>Charts</h1>
        <p className="text-ink-2">Last {blocks} blocks</p>
        <nav aria-label="Blocks" className="flex items-center gap-4">
          <span className="segmented">
            {ranges.map((range) => (
              <AppLink
                key={range}
                href={`/${source.network}/charts?blocks=${range}`}
                className="no-underline"
                aria-current={range === blocks ? "true" : undefined}
              >
                {range}
              </AppLink>
            ))}
          </span>
          <DataLinks method="explorer_getSeries" params={[blocks]} />
        </nav>
      </div>
      {data ? (
        <>
          {data.paymentsCut && <p className="text-13 text-ink-2">Truncated: the oldest blocks are incomplete</p>}
          {charts.map(({ id, kind, read }) => (
            <Chart
              key={id}
              title={chartTitles[id]}
              unit={id === "baseFee" && inWei ? "wei" : chartUnits[id]}
              kind={kind}
              points={data.blocks.map((block) => {
                const value = read(block);
                const scaled = id === "baseFee" && !inWei && value !== null ? value / 1e9 : value;
                return { label: String(Number(block.number)), value: scaled };
              })}
              format={round}
              at={at}
              onAt={setAt}
              head="Block"
            />
          ))}
        </>
      ) : (
        <Sheet>
          {error ? (
            <QueryFailure error={error} method="explorer_getSeries" onRetry={refetch} />
          ) : (
            <SkeletonRows rows={12} label="Loading blocks" />
          )}
        </Sheet>
      )}
    </>
  );
}
