/** Pages that show totals by payee and by resource. */
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { PaymentsHead } from "@/components/payments/PaymentsHead";
import { PaymentTotals } from "@/components/payments/PaymentTotals";
import { paymentTotalsQuery } from "@/lib/query/queries";

export function toTotalsPage(by: "payee" | "resource", title: string) {
  return async ({ params, searchParams }: PageProps) => {
    const source = await getSource((await params).network);
    const cursor = toSingle((await searchParams).after);
    return withQueries(
      [paymentTotalsQuery(source, by, cursor)],
      <>
        <PaymentsHead network={source.network} title={title} />
        <PaymentTotals key={cursor ?? "first"} by={by} {...(cursor !== undefined && { cursor })} />
      </>,
    );
  };
}
