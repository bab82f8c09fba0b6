/**
 * A flow that somebody shared. The fragment of its address holds it, which no browser sends: the server knows nothing.
 */
import type { Metadata } from "next";
import { getSource } from "@/app/[network]/loadPage";
import { PlaygroundHead } from "@/components/playground/PlaygroundHead";
import { SharedFlowLoader } from "@/components/playground/SharedFlowLoader";

export const metadata: Metadata = { title: "A payment’s flow" };

export default async function FlowPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await getSource((await params).network);
  return (
    <>
      <PlaygroundHead
        network={network}
        title="A payment’s flow"
        intro="This flow is encoded in the link; nothing is stored on the server."
      />
      <SharedFlowLoader />
    </>
  );
}
