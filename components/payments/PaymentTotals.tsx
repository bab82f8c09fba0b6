/** Settled volume by resource or payee. Each row links to its payments and chart. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TokenAmount } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { Pager, plainPagerLabels } from "@/components/lists/Pager";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { toPaymentsPagePath, toPaymentsPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { paymentTotalsQuery } from "@/lib/query/queries";
import type { PaymentTotal } from "@/lib/rpc/explorerShapes";
import { formatInteger } from "@/lib/units";

const getKey = ({ subject, asset }: PaymentTotal) => `${subject} ${asset}`;

export function PaymentTotals({ by, cursor }: { by: "resource" | "payee"; cursor?: string }) {
  const source = useSource();
  const query = paymentTotalsQuery(source, by, cursor);
  const { data, error, refetch } = useQuery(query);
  const rows = data?.items ?? [];
  return (
    <Sheet
      id="totals"
      title="Settled volume"
      aside={<DataLinks csv method="explorer_getPaymentTotals" params={query.queryKey[2]} />}
    >
      {data ? (
        rows.length === 0 ? (
          <Empty title="No payments yet" />
        ) : (
          <DataTable caption="Settled volume" columns={toColumns(by, source.network)} rows={rows} getKey={getKey} />
        )
      ) : error ? (
        <QueryFailure error={error} method="explorer_getPaymentTotals" onRetry={refetch} />
      ) : (
        <SkeletonRows rows={5} label="Loading payments" />
      )}
      {data && (
        <Pager
          path={toPaymentsPagePath(source.network, by === "resource" ? "resources" : "payees")}
          cursor={cursor}
          next={data.next}
          labels={plainPagerLabels}
        />
      )}
    </Sheet>
  );
}

function toColumns(by: "resource" | "payee", network: string): Column<PaymentTotal>[] {
  return [
    {
      id: "subject",
      head: by === "resource" ? "Resource" : "Payee",
      narrow: "lead",
      cell: ({ subject }) =>
        by === "payee" ? <AddressLink address={subject} /> : <span className="break-all">{subject}</span>,
    },
    {
      id: "amount",
      head: "Volume",
      align: "right",
      width: "md:w-36",
      narrow: "trail",
      cell: ({ asset, settledAmount }) => <TokenAmount units={BigInt(settledAmount)} token={asset ?? ""} />,
    },
    {
      id: "count",
      head: "Payments",
      align: "right",
      width: "md:w-28",
      narrow: "belowTrail",
      cell: ({ subject, payments }) => (
        <AppLink href={toPaymentsPath(network, { [by]: subject })}>
          {formatInteger(BigInt(payments))}
          <span className="md:hidden"> {plural(Number(payments), "payment")}</span>
        </AppLink>
      ),
    },
    {
      id: "refunds",
      head: "Refunds",
      align: "right",
      width: "md:w-24",
      cell: ({ refunds }) => formatInteger(BigInt(refunds)),
    },
  ];
}
