/** A shared flow. It is stored in the URL fragment, which browsers never send, so the server never sees it. */
import type { Metadata } from "next";
import { getSource, type PageProps } from "@/app/[network]/loadPage";
import { PlaygroundHead } from "@/components/playground/PlaygroundHead";
import { SharedFlowLoader } from "@/components/playground/SharedFlowLoader";

export const metadata: Metadata = { title: "A payment’s flow" };

export default async function FlowPage({ params }: PageProps) {
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
