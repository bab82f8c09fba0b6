"use client";
/** The list of payments in the ledger: every payment that the facilitator has seen on this network, newest first. */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Snippet } from "@/components/atoms/Snippet";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import type { AmountShape } from "@/components/lists/amountShape";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { Pager } from "@/components/lists/Pager";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { HeldNotice } from "@/components/live/HeldNotice";
import { useHeld } from "@/components/live/useHeld";
import { toPaymentsPath, toSectionPath } from "@/lib/links";
import { type PaymentFilters, pageSize, paymentsQuery, paymentTotalsQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { PaymentFilterForm } from "./PaymentFilterForm";
import { PaymentLink } from "./PaymentLink";
import { toPaymentAmount, toTokenShape } from "./paymentAmount";
import { settlementColumn, toAgeColumn, toAmountColumn } from "./paymentColumns";
import { unlistedText } from "./unlistedText";

const getKey = (payment: Payment) => payment.id;
const none: Payment[] = [];

const toColumns = (shape: AmountShape, isFailed: boolean): Column<Payment>[] => [
  {
    id: "payment",
    head: isFailed ? "Resource and reason" : "Resource",
    width: isFailed ? "md:w-64 lg:w-120" : "md:w-58 lg:w-80 xl:w-102",
    narrow: "lead",
    cell: (payment) => <PaymentLink payment={payment} />,
  },
  toAmountColumn("md:w-25 lg:w-34", shape),
  {
    id: "payer",
    head: "Payer",
    width: "md:pl-6 lg:pl-8",
    cell: (payment) => <AddressLink address={payment.payer} />,
  },
  {
    id: "payee",
    head: "Payee",
    cell: (payment) => <AddressLink address={payment.payee} />,
  },
  {
    id: "parties",
    head: "Payer and payee",
    width: "md:hidden",
    narrow: "below",
    cell: (payment) => (
      <PartiesCell from={<AddressLink address={payment.payer} />} to={<AddressLink address={payment.payee} />} />
    ),
  },
  ...(isFailed ? [] : [settlementColumn]),
  toAgeColumn("md:w-24"),
];

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
              columns={toColumns(toTokenShape(network, held.shown.map(toPaymentAmount)), filters.state === "failed")}
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
