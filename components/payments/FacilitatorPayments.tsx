/**
 * The latest payments in a given state. Each row shows the amount, both parties, and either the resource or why the
 * payment failed.
 */
"use client";

import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { ListSheet } from "@/components/lists/ListSheet";
import { toPaymentsPath } from "@/lib/links";
import { facilitatorRows, paymentsQuery } from "@/lib/query/queries";
import { toPaymentAmount, toTokenShape } from "./paymentAmount";
import { toPaymentColumns } from "./paymentColumns";
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
      columns={(rows) =>
        toPaymentColumns(toTokenShape(network, rows.map(toPaymentAmount)), { state, isStateKnown: true })
      }
      getKey={({ id }) => id}
      rows={facilitatorRows}
      loadingLabel="Loading payments"
      empty={<Empty title={none}>{state === "failed" && unlistedText}</Empty>}
    />
  );
}
