/** The payment playground. Visitors can read the offer without JavaScript, but paying requires it. */
import type { Metadata } from "next";
import { getSource, listNetworks, type PageProps, toSingle } from "@/app/[network]/loadPage";
import { findCall, findOffer } from "@/app/[network]/playground/findOffer";
import { temporaryText } from "@/components/layout/TemporaryNotice";
import { NothingForSale } from "@/components/payments/NothingForSale";
import { createFormatPrice } from "@/components/playground/flowValue";
import { PlaygroundHead } from "@/components/playground/PlaygroundHead";
import { PlaygroundLoader } from "@/components/playground/PlaygroundLoader";
import { ResourceFacts } from "@/components/playground/ResourceFacts";
import { ResourceNav } from "@/components/playground/ResourceNav";
import { getNode } from "@/server/node/instance";
import "@/components/playground/styles";

export const metadata: Metadata = { title: "Payment playground" };

export default async function PlaygroundPage({ params, searchParams }: PageProps) {
  const { network: name } = await getSource((await params).network);
  const node = await getNode();
  const { label, tokens } = node.networks.get(name)!.network;
  const call = findCall(node, name, toSingle((await searchParams).resource));
  const offer = call && (await findOffer(node, call));
  const price = offer?.accepts[0];
  return (
    <>
      <PlaygroundHead
        network={name}
        title="Payment playground"
        intro="With x402, a server responds to a request with 402 and a price. You sign a payment and send the request again."
      />
      {call && offer ? (
        <div className="play">
          <ResourceNav network={name} tokens={tokens} items={node.listResources(name)} url={call.url} />
          <PlaygroundLoader
            key={call.url}
            networks={listNetworks(node)}
            call={call}
            {...(price && { price: createFormatPrice(tokens)(price) })}
          />
          <div className="play-facts play-offer play-asked">
            <ResourceFacts call={call} offer={offer} tokens={tokens} />
          </div>
        </div>
      ) : (
        <NothingForSale network={label}>{node.config.isTemporary ? temporaryText : undefined}</NothingForSale>
      )}
    </>
  );
}
