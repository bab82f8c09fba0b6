/**
 * The facilitator's ledger on this network.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { PaymentList } from "@/components/explorer/PaymentList";
import { t } from "@/lib/messages/translate";
import { paymentsQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: t("payments.title") };

type Props = { params: Promise<{ network: string }>; searchParams: Promise<{ after?: string | string[] }> };

export default async function PaymentsPage({ params, searchParams }: Props) {
  const source = await getSource((await params).network);
  const cursor = toSingle((await searchParams).after);
  const state = await prefetch([paymentsQuery(source, cursor)]);
  return (
    <HydrationBoundary state={state}>
      <h1 className="sr-only">{t("payments.title")}</h1>
      <PaymentList key={cursor ?? "newest"} {...(cursor === undefined ? {} : { cursor })} />
    </HydrationBoundary>
  );
}
