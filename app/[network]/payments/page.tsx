/** The facilitator's ledger on this network, optionally filtered by the query string. */
import type { Metadata } from "next";
import { getSource, type PageProps, type SearchParams, toSingle, withQueries } from "@/app/[network]/loadPage";
import { PaymentList } from "@/components/payments/PaymentList";
import { PaymentSeriesCharts } from "@/components/payments/PaymentSeriesCharts";
import { PaymentSummary } from "@/components/payments/PaymentSummary";
import { PaymentsHead } from "@/components/payments/PaymentsHead";
import { seriesTotalsQuery } from "@/components/payments/seriesTotals";
import {
  earningsQuery,
  type PaymentFilters,
  pageSize,
  paymentSeriesQuery,
  paymentsQuery,
  paymentTotalsQuery,
} from "@/lib/query/queries";

export const metadata: Metadata = { title: "Payments" };

export default async function PaymentsPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const query = await searchParams;
  const cursor = toSingle(query.after);
  const filters = toFilters(query);
  const { payee, resource } = filters;
  const about = { ...(payee && { payee }), ...(resource && { resource }) };
  const hasCharts = cursor === undefined && (payee !== undefined || resource !== undefined);
  const isFiltered = Object.keys(filters).length > 0;
  const hasSummary = cursor === undefined && !isFiltered;
  return withQueries(
    [
      paymentsQuery(source, cursor, pageSize, filters),
      ...(isFiltered ? [] : [paymentTotalsQuery(source, "state")]),
      ...(hasSummary ? [earningsQuery(source, "payee")] : []),
      ...(hasCharts ? [paymentSeriesQuery(source, about), seriesTotalsQuery(source, about)] : []),
    ],
    <>
      <PaymentsHead network={source.network} />
      {hasSummary && <PaymentSummary />}
      {hasCharts && <PaymentSeriesCharts key={JSON.stringify(about)} filters={about} />}
      <PaymentList
        key={`${cursor ?? "newest"} ${JSON.stringify(filters)}`}
        {...(cursor === undefined ? {} : { cursor })}
        filters={filters}
      />
    </>,
  );
}

/** Ignores empty query parameters. */
function toFilters(query: Awaited<SearchParams>): PaymentFilters {
  const filters: PaymentFilters = {};
  for (const name of ["payer", "payee", "resource", "state"] as const) {
    const value = toSingle(query[name])?.trim();
    if (value) filters[name] = name === "payer" || name === "payee" ? value.toLowerCase() : value;
  }
  return filters;
}
