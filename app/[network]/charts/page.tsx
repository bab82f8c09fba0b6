import type { Metadata } from "next";
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { ChartsScreen } from "@/components/charts/ChartsScreen";
import { seriesTotalsQuery } from "@/components/payments/seriesTotals";
import { seriesQuery } from "@/lib/query/explorerQueries";
import { paymentSeriesQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Charts" };

const ranges: readonly string[] = ["50", "200", "1000"];

export default async function ChartsPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const wanted = toSingle((await searchParams).blocks) ?? "";
  const blocks = ranges.includes(wanted) ? Number(wanted) : 200;
  return withQueries(
    [seriesQuery(source, blocks), paymentSeriesQuery(source), seriesTotalsQuery(source)],
    <ChartsScreen key={blocks} blocks={blocks} />,
  );
}
