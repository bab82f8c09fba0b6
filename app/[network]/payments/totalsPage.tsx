/** Creates the pages that show how much each payee or resource earned. */
import { getSource, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { PaymentSummary } from "@/components/payments/PaymentSummary";
import { PaymentsHead } from "@/components/payments/PaymentsHead";
import { PaymentTotals } from "@/components/payments/PaymentTotals";
import { earningsQuery } from "@/lib/query/queries";

export function toTotalsPage(by: "payee" | "resource") {
  return async ({ params }: PageProps) => {
    const source = await getSource((await params).network);
    return withQueries(
      [earningsQuery(source, by), ...(by === "payee" ? [] : [earningsQuery(source, "payee")])],
      <>
        <PaymentsHead network={source.network} />
        <PaymentSummary />
        <PaymentTotals by={by} />
      </>,
    );
  };
}
