import type { Metadata } from "next";
import { getSource, type PageProps, withQueries } from "@/app/[network]/loadPage";
import { ToolsScreen } from "@/components/tools/ToolsScreen";
import { developerQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Developer tools" };

export default async function ToolsPage({ params }: PageProps) {
  const source = await getSource((await params).network);
  return withQueries([developerQuery(source)], <ToolsScreen />);
}
