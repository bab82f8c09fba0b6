/** The transaction pool. */
import type { Metadata } from "next";
import { getSource, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { PoolScreen } from "@/components/pool/PoolScreen";
import { poolQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Pool" };

export default async function PoolPage({ params }: PageProps) {
  const source = await getSource((await params).network);
  return withQueries([poolQuery(source)], <PoolScreen />);
}
