import type { Metadata } from "next";
import { getSource, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { PoolScreen } from "@/components/pool/PoolScreen";
import { shownPending } from "@/components/pool/shownPending";
import { developerQuery, poolQuery } from "@/lib/query/explorerQueries";
import { pendingTransactionsQuery } from "@/lib/query/queries";
import { latestBlockQuery } from "@/lib/query/transaction";

export const metadata: Metadata = { title: "Transaction pool" };

export default async function PoolPage({ params }: PageProps) {
  const source = await getSource((await params).network);
  return withQueries(
    [
      pendingTransactionsQuery(source, shownPending),
      poolQuery(source),
      developerQuery(source),
      latestBlockQuery(source),
    ],
    <PoolScreen />,
  );
}
