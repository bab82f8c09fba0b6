import type { Metadata } from "next";
import { getSource, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { NodeScreen } from "@/components/node/NodeScreen";
import { healthQuery, nodeHistoryQuery, nodeStatusQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Node" };

export default async function NodePage({ params }: PageProps) {
  const source = await getSource((await params).network);
  return withQueries([healthQuery(source), nodeStatusQuery(source), nodeHistoryQuery(source)], <NodeScreen />);
}
