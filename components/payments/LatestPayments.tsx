"use client";
/** The newest payments, for the start page. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import type { AmountShape } from "@/components/lists/amountShape";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { PaymentLink } from "@/components/payments/PaymentLink";
import { toPaymentAmount, toTokenShape } from "@/components/payments/paymentAmount";
import { partiesColumn, toAgeColumn, toAmountColumn } from "@/components/payments/paymentColumns";
import { toSectionPath } from "@/lib/links";
import { homeRows, paymentsQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { toShownText } from "@/lib/shownText";

const toColumns = (shape: AmountShape): Column<Payment>[] => [
  {
    id: "payment",
    head: "Payment",
    narrow: "lead",
    cell: (payment) => <PaymentLink isWhole={false} payment={payment} name={toResourceName(payment.resource)} />,
  },
  toAmountColumn("md:w-28 2xl:w-25", shape),
  {
    id: "payer",
    head: "Payer",
    width: "md:w-34 md:pl-6 lg:w-36 2xl:w-32 2xl:pl-3",
    cell: ({ payer }) => <AddressLink address={payer} />,
  },
  {
    id: "payee",
    head: "Payee",
    width: "md:w-34 lg:w-36 2xl:hidden",
    cell: ({ payee }) => <AddressLink address={payee} />,
  },
  partiesColumn,
  toAgeColumn("md:w-24"),
];

/** The last part of a resource's path. */
function toResourceName(resource: string | null): string {
  if (resource === null) return "";
  const path = URL.canParse(resource) ? new URL(resource).pathname : resource;
  return toShownText(path.split("/").at(-1) ?? "", 40);
}

export function LatestPayments() {
  const source = useSource();
  const network = useNetwork();
  return (
    <ListSheet
      id="payments"
      title="Latest payments"
      aside={
        <AppLink href={toSectionPath(source.network, "payments")} className="text-13 text-accent">
          See all
        </AppLink>
      }
      query={paymentsQuery(source, undefined, homeRows)}
      columns={(rows) => toColumns(toTokenShape(network, rows.map(toPaymentAmount)))}
      getKey={({ id }) => id}
      rows={homeRows}
      loadingLabel="Loading payments"
      empty={
        <Empty title="No payments yet">
          <p>Payments that this facilitator settles appear here.</p>
          <AppLink href={toSectionPath(source.network, "playground")} className="button">
            Open the playground
          </AppLink>
        </Empty>
      }
    />
  );
}
