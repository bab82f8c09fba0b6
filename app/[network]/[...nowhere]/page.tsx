/**
 * Every address inside a network that no page has. Without it the network's frame would be left for the bare page of an
 * unknown network, and the search with it.
 */
import { notFound } from "next/navigation";
import { getSource } from "@/app/[network]/loadPage";

export default async function NowherePage({ params }: { params: Promise<{ network: string }> }) {
  // A network that is not there has its own page.
  await getSource((await params).network);
  notFound();
}
