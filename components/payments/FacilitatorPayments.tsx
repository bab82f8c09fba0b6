/**
 * The latest payments in a given state. Each row shows the amount, both parties, and either the resource or why the
 * payment failed.
 */
"use client";

import { AddressLink } from "@/components/atoms/AddressLink";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { ListSheet } from "@/components/lists/ListSheet";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { settlementColumn, toAgeColumn, toAmountColumn } from "@/components/payments/paymentColumns";
import { toPaymentsPath } from "@/lib/links";
import { facilitatorRows, paymentsQuery } from "@/lib/query/queries";
import { PaymentLink } from "./PaymentLink";
import { toPaymentAmount, toTokenShape } from "./paymentAmount";
import { unlistedText } from "./unlistedText";

export function FacilitatorPayments({
  state,
  title,
  none,
}: {
  state: "settled" | "failed";
  title: string;
  none: string;
}) {
  const { network, source } = useNetworkContext();
  return (
    <ListSheet
      id={state}
      title={title}
      aside={
        <AppLink href={toPaymentsPath(source.network, { state })} className="text-13 text-accent">
          See all
        </AppLink>
      }
      query={paymentsQuery(source, undefined, facilitatorRows, { state })}
      columns={(rows) => [
        {
          id: "payment",
          head: state === "failed" ? "Resource and reason" : "Resource",
          width: state === "failed" ? "lg:w-120" : "lg:w-88",
          narrow: "lead",
          cell: (payment) => <PaymentLink isStateKnown payment={payment} />,
        },
        toAmountColumn("md:w-32 lg:w-34", toTokenShape(network, rows.map(toPaymentAmount))),
        {
          id: "payer",
          head: "Payer",
          width: "md:w-34 md:pl-6 lg:w-auto lg:pl-8",
          cell: ({ payer }) => <AddressLink address={payer} />,
        },
        {
          id: "payee",
          head: "Payee",
          width: "md:w-32 lg:w-auto",
          cell: ({ payee }) => <AddressLink address={payee} />,
        },
        {
          id: "parties",
          head: "Payer and payee",
          width: "md:hidden",
          narrow: "below",
          cell: ({ payer, payee }) => (
            <PartiesCell from={<AddressLink address={payer} />} to={<AddressLink address={payee} />} />
          ),
        },
        ...(state === "settled" ? [settlementColumn] : []),
        toAgeColumn("md:w-24"),
      ]}
      getKey={({ id }) => id}
      rows={facilitatorRows}
      loadingLabel="Loading payments"
      empty={<Empty title={none}>{state === "failed" && unlistedText}</Empty>}
    />
  );
}
