/** How to use this node from your own programs. */
import type { Metadata } from "next";
import { getNetwork, getOrigin, type PageProps } from "@/app/[network]/loadPage";
import { DocsScreen } from "@/components/docs/DocsScreen";

export const metadata: Metadata = { title: "Docs" };

export default async function DocsPage({ params }: PageProps) {
  const network = await getNetwork((await params).network);
  return <DocsScreen network={network} origin={await getOrigin()} />;
}
