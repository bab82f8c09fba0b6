/** The facilitator's ledger on this network, optionally filtered by the query string. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { PaymentList } from "@/components/payments/PaymentList";
import { PaymentSeriesCharts } from "@/components/payments/PaymentSeriesCharts";
import { PaymentsHead } from "@/components/payments/PaymentsHead";
import { type PaymentFilters, pageSize, paymentSeriesQuery, paymentsQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Payments" };

type Query = Record<"after" | "payer" | "payee" | "resource" | "state", string | string[] | undefined>;
type Props = { params: Promise<{ network: string }>; searchParams: Promise<Query> };

export default async function PaymentsPage({ params, searchParams }: Props) {
  const source = await getSource((await params).network);
  const query = await searchParams;
  const cursor = toSingle(query.after);
  const filters = toFilters(query);
  const { payee, resource } = filters;
  const about = { ...(payee && { payee }), ...(resource && { resource }) };
  const hasCharts = cursor === undefined && (payee !== undefined || resource !== undefined);
  const state = await prefetch([
    paymentsQuery(source, cursor, pageSize, filters),
    ...(hasCharts ? [paymentSeriesQuery(source, about)] : []),
  ]);
  return (
    <HydrationBoundary state={state}>
      <PaymentsHead network={source.network} title="Payments" />
      {hasCharts && <PaymentSeriesCharts filters={about} />}
      <PaymentList
        key={`${cursor ?? "newest"} ${JSON.stringify(filters)}`}
        {...(cursor === undefined ? {} : { cursor })}
        filters={filters}
      />
    </HydrationBoundary>
  );
}

/** An empty field doesn't filter. */
function toFilters(query: Query): PaymentFilters {
  const filters: PaymentFilters = {};
  for (const name of ["payer", "payee", "resource", "state"] as const) {
    const value = toSingle(query[name])?.trim();
    if (value) filters[name] = name === "payer" || name === "payee" ? value.toLowerCase() : value;
  }
  return filters;
}
