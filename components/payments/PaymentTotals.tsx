/** Lists resources or payees, highest earnings first. Each row links to its payments and has a line for each token. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useAddressName, useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { toChecksumAddress } from "@/lib/address";
import { toSectionPath } from "@/lib/links";
import { earningsQuery, paymentTotalsQuery } from "@/lib/query/queries";
import { ResourceName } from "./ResourceName";
import { toResourceParts } from "./resourceParts";
import { groupTotals, type SubjectTotals, toTotalColumns } from "./totalColumns";

export function PaymentTotals({ by }: { by: "resource" | "payee" }) {
  const { network, origin, source } = useNetworkContext();
  const query = earningsQuery(source, by);
  const { data } = useQuery(query);
  const title = by === "resource" ? "Resources" : "Payees";
  const groups = groupTotals(data?.items ?? []);
  const isForeign = ({ subject }: SubjectTotals) => toResourceParts(subject, origin, network.name).host !== undefined;
  const hasBoth = by === "resource" && groups.some(isForeign) && !groups.every(isForeign);
  return (
    <Sheet
      id="totals"
      title={title}
      aside={
        <>
          <p className="min-w-0 flex-1 text-pretty text-13 text-ink-2 max-sm:order-1 max-sm:basis-full">
            Highest earnings first.
            {hasBoth && " Paths without a host are on this server."}
            {data?.cut && " Payers, failures and last payments cover only the latest 2,000 payments."}
          </p>
          <DataLinks csv method="explorer_getPaymentTotals" params={paymentTotalsQuery(source, by).queryKey[2]} />
        </>
      }
    >
      <QueryContent query={query} rows={5} label="Loading payments">
        {() =>
          groups.length === 0 ? (
            <Empty title="No payments yet">
              <p>Sellers appear here after their first payment.</p>
              <AppLink href={toSectionPath(source.network, "playground")} className="button">
                Open the playground
              </AppLink>
            </Empty>
          ) : (
            <DataTable
              caption={title}
              columns={[by === "payee" ? payeeColumn : resourceColumn, ...toTotalColumns(by, network, groups)]}
              rows={groups}
              getKey={({ subject }) => subject}
            />
          )
        }
      </QueryContent>
    </Sheet>
  );
}

const payeeColumn: Column<SubjectTotals> = {
  id: "subject",
  head: "Payee",
  narrow: "lead",
  cell: ({ subject }) => <PayeeLink address={subject} />,
};

const resourceColumn: Column<SubjectTotals> = {
  id: "subject",
  head: "Resource",
  narrow: "lead",
  cell: ({ subject }) => <ResourceName subject={subject} />,
};

function PayeeLink({ address }: { address: string }) {
  const isNamed = useAddressName(address) !== undefined;
  return (
    <span className="flex min-w-0 flex-col md:py-2">
      <span className="font-medium">
        <AddressLink address={address} />
      </span>
      {isNamed && (
        <span className="identifier pl-[1.375rem] text-ink-3">
          {/* As wide in all rows of a payee. */}
          <Hash value={toChecksumAddress(address)} className="max-md:max-w-[17.25ch]" />
          <Copy value={toChecksumAddress(address)} what="address" />
        </span>
      )}
    </span>
  );
}
