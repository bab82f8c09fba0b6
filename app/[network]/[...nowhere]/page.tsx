/**
 * Catches every unknown path inside a network. Without it, Next would show the bare page of an unknown network instead
 * of the network's frame and search.
 */
import { notFound } from "next/navigation";
import { getSource } from "@/app/[network]/loadPage";

export default async function NowherePage({ params }: { params: Promise<{ network: string }> }) {
  // A separate page handles unknown networks.
  await getSource((await params).network);
  notFound();
}
