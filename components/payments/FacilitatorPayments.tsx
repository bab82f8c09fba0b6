/**
 * The latest payments in a given state. Each row shows the amount, and either the resource or why the payment failed.
 */
"use client";

import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { ListSheet } from "@/components/lists/ListSheet";
import { toAgeColumn, toAmountColumn } from "@/components/payments/paymentColumns";
import { toPaymentPath, toPaymentsPath } from "@/lib/links";
import { facilitatorRows, paymentsQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { toResourcePath } from "@/lib/shownText";

export function FacilitatorPayments({
  state,
  title,
  none,
}: {
  state: "settled" | "failed";
  title: string;
  none: string;
}) {
  const source = useSource();
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
      columns={[
        {
          id: "payment",
          head: state === "failed" ? "Reason" : "Resource",
          narrow: "lead",
          cell: (payment) => <PaymentLink payment={payment} network={source.network} />,
        },
        toAmountColumn("md:w-32"),
        toAgeColumn("md:w-24"),
      ]}
      getKey={({ id }) => id}
      rows={facilitatorRows}
      loadingLabel="Loading payments"
      empty={<Empty title={none} />}
    />
  );
}

function PaymentLink({ payment: { id, reason, resource }, network }: { payment: Payment; network: string }) {
  return (
    <AppLink href={toPaymentPath(network, id)} className={`truncate ${reason === null ? "" : "mono"}`}>
      {reason ?? (toResourcePath(resource) || "Payment")}
    </AppLink>
  );
}
