/**
 * What each resource of this network earned.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { PaymentsHead } from "@/components/payments/PaymentsHead";
import { PaymentTotals } from "@/components/payments/PaymentTotals";
import { paymentTotalsQuery } from "@/lib/query/queries";

const title = "By resource";
export const metadata: Metadata = { title };

type Props = { params: Promise<{ network: string }>; searchParams: Promise<{ after?: string | string[] }> };

export default async function ResourceTotalsPage({ params, searchParams }: Props) {
  const source = await getSource((await params).network);
  const cursor = toSingle((await searchParams).after);
  const state = await prefetch([paymentTotalsQuery(source, "resource", cursor)]);
  return (
    <HydrationBoundary state={state}>
      <PaymentsHead network={source.network} title={title} />
      <PaymentTotals key={cursor ?? "first"} by="resource" {...(cursor === undefined ? {} : { cursor })} />
    </HydrationBoundary>
  );
}
