/** Catches unknown paths inside a network, so the not-found page keeps the network's header and search. */
import { notFound } from "next/navigation";
import { getSource } from "@/app/[network]/loadPage";

export default async function NowherePage({ params }: { params: Promise<{ network: string }> }) {
  // If the network is unknown, this shows the not-found page for unknown networks.
  await getSource((await params).network);
  notFound();
}
