/** One payment of the ledger, by its id. A transaction hash redirects to its payment. */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { PaymentScreen } from "@/components/payments/PaymentScreen";
import { toPaymentPath } from "@/lib/links";
import { finalizedBlockQuery, paymentQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";

export const metadata: Metadata = { title: "Payment" };

export default async function PaymentPage({ params }: { params: Promise<{ network: string; id: string }> }) {
  const { network, id: given } = await params;
  const source = await getSource(network);
  const id = given.toLowerCase();
  if (!/^0x[0-9a-f]{64}$/.test(id)) notFound();
  const query = paymentQuery(source, id);
  const state = await prefetch([query, finalizedBlockQuery(source)]);
  const found = state.queries.find(({ queryKey }) => queryKey[1] === "explorer_getPayment")?.state.data as
    | Payment[]
    | undefined;
  const [first] = found ?? [];
  if (first && !found?.some((payment) => payment.id === id)) redirect(toPaymentPath(network, first.id));
  return (
    <HydrationBoundary state={state}>
      <div className="flex min-w-0 flex-col gap-1">
        <h1>Payment</h1>
        <p className="mono break-all text-ink-2">{id}</p>
      </div>
      <PaymentScreen id={id} />
    </HydrationBoundary>
  );
}
