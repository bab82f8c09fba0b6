/** One payment from the ledger, by ID. A transaction hash redirects to its payment. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { findRecord } from "@/app/[network]/findRecord";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { PaymentScreen } from "@/components/payments/PaymentScreen";
import { toPaymentPath } from "@/lib/links";
import { exchangeQuery, finalizedBlockQuery, paymentQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import "@/components/playground/diagram.css";

type Props = { params: Promise<{ network: string; id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { network, id } = await params;
  const title = isHash(id) ? (await findRecord(network, id.toLowerCase()))?.title : undefined;
  return title === undefined ? { title: "Payment" } : { title, openGraph: { title } };
}

export default async function PaymentPage({ params }: Props) {
  const { network, id: given } = await params;
  const source = await getSource(network);
  const id = given.toLowerCase();
  if (!isHash(id)) notFound();
  const state = await prefetch([paymentQuery(source, id), exchangeQuery(source, id), finalizedBlockQuery(source)]);
  const found = state.queries.find(({ queryKey }) => queryKey[1] === "explorer_getPayment")?.state.data as
    | Payment[]
    | undefined;
  const [first] = found ?? [];
  if (first && !found?.some((payment) => payment.id === id)) redirect(toPaymentPath(network, first.id));
  return (
    <HydrationBoundary state={state}>
      <PaymentScreen id={id} />
    </HydrationBoundary>
  );
}

function isHash(id: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(id);
}
