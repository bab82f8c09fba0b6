/** The failure lab, which makes deliberately wrong payments. Only available on this node's own chains. */
import type { Metadata } from "next";
import { getSource, listNetworks, type PageProps } from "@/app/[network]/loadPage";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { FailureLabLoader } from "@/components/playground/lab/FailureLabLoader";
import { PlaygroundHead } from "@/components/playground/PlaygroundHead";
import { getNode } from "@/server/node/instance";
import "@/components/playground/styles";
import "@/components/playground/lab/lab.css";

export const metadata: Metadata = { title: "Failure lab" };

export default async function FailuresPage({ params }: PageProps) {
  const { network: name } = await getSource((await params).network);
  const node = await getNode();
  const { label, embedded, tokens } = node.networks.get(name)!.network;
  return (
    <>
      <PlaygroundHead
        network={name}
        title="Failure lab"
        intro="Break a payment on purpose. Each case sends a real request and shows which check failed, how to fix it, the timeline and the code."
      />
      {embedded && tokens.length > 0 ? (
        <div className="play play-lab">
          <FailureLabLoader networks={listNetworks(node)} />
        </div>
      ) : (
        <Sheet>
          <Empty level="h2" title="The failure lab only works on this node’s own chains">
            {label} is a public network, where a wrong payment may cost real money. Choose one of this node’s own
            chains.
          </Empty>
        </Sheet>
      )}
    </>
  );
}
