"use client";
/** The list of payments in the ledger: every payment that the facilitator has seen on this network, newest first. */
import { useQuery } from "@tanstack/react-query";
import { Snippet } from "@/components/atoms/Snippet";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { DataTable } from "@/components/lists/DataTable";
import { Pager } from "@/components/lists/Pager";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { HeldNotice } from "@/components/live/HeldNotice";
import { useHeld } from "@/components/live/useHeld";
import { toPaymentsPath, toSectionPath } from "@/lib/links";
import { type PaymentFilters, pageSize, paymentsQuery, paymentTotalsQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { PaymentFilterForm } from "./PaymentFilterForm";
import { toPaymentAmount, toTokenShape } from "./paymentAmount";
import { toPaymentColumns } from "./paymentColumns";
import { unlistedText } from "./unlistedText";

const getKey = (payment: Payment) => payment.id;
const none: Payment[] = [];

export function PaymentList({ cursor, filters }: { cursor?: string; filters: PaymentFilters }) {
  const source = useSource();
  const { network, origin } = useNetworkContext();
  const query = paymentsQuery(source, cursor, pageSize, filters);
  const { data, error, refetch } = useQuery(query);
  const held = useHeld(data?.items ?? none, getKey);
  const path = toPaymentsPath(source.network, filters);
  const isFiltered = Object.keys(filters).length > 0;
  const { data: states } = useQuery({ ...paymentTotalsQuery(source, "state"), enabled: !isFiltered });
  const count = states?.items.reduce((sum, { payments }) => sum + BigInt(payments), 0n);
  return (
    <div {...held.surroundings} className="min-w-0">
      <Sheet labelledBy="payments">
        <PaymentFilterForm
          id="payments"
          filters={filters}
          aside={
            <span className="flex flex-wrap items-center">
              <HeldNotice waiting={held.waiting} onRelease={held.release} />
              <DataLinks csv method="explorer_getPayments" params={query.queryKey[2]} />
            </span>
          }
        />
        {data ? (
          held.shown.length === 0 && isFiltered ? (
            <Empty title={filters.state === "failed" ? "No failed payments" : "No payments match"}>
              {filters.state === "failed" && <p>{unlistedText}</p>}
              <AppLink href={toSectionPath(network.name, "payments")} className="button">
                Clear filter
              </AppLink>
            </Empty>
          ) : held.shown.length === 0 ? (
            <Empty title="No payments yet">
              <p>Payments settled by this facilitator appear here.</p>
              <div className="w-full border border-line">
                <Snippet what="command" code={`curl -i "${origin}/api/paid/block-digest?network=${network.name}"`} />
              </div>
              <AppLink href={toSectionPath(network.name, "playground")} className="button">
                Open the playground
              </AppLink>
            </Empty>
          ) : (
            <DataTable
              caption="Ledger"
              columns={toPaymentColumns(toTokenShape(network, held.shown.map(toPaymentAmount)), filters)}
              rows={held.shown}
              getKey={getKey}
              isNew={held.isNew}
            />
          )
        ) : error ? (
          <QueryFailure error={error} method="explorer_getPayments" onRetry={refetch} />
        ) : (
          <SkeletonRows rows={pageSize} label="Loading payments" />
        )}
        {data && (
          <Pager
            path={path}
            cursor={cursor}
            next={data.next}
            rows={held.shown}
            total={isFiltered || count === undefined ? undefined : { count: String(count), unit: "payments" }}
          />
        )}
      </Sheet>
    </div>
  );
}
