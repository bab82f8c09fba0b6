/**
 * Pays any x402 URL. The form works without JavaScript. The URL to pay is part of the page's own URL, so that visitors
 * can share the page.
 */
import type { Metadata } from "next";
import { getOrigin, getSource, isFromThisSite, listNetworks, type PageProps, toSingle } from "@/app/[network]/loadPage";
import { findOffer } from "@/app/[network]/playground/findOffer";
import { AppLink } from "@/components/layout/AppLink";
import { DiagramGhost } from "@/components/playground/DiagramGhost";
import { createFormatPrice } from "@/components/playground/flowValue";
import { PlaygroundHead } from "@/components/playground/PlaygroundHead";
import { PlaygroundLoader } from "@/components/playground/PlaygroundLoader";
import { maxWholeTokens } from "@/components/playground/spendLimits";
import { listUrlExamples, UrlExamples } from "@/components/playground/UrlExamples";
import { UrlForm } from "@/components/playground/UrlForm";
import { UrlPriceCheck } from "@/components/playground/UrlPriceCheck";
import { toUrlPrice } from "@/components/playground/urlPrice";
import { toPaymentsPagePath } from "@/lib/links";
import { type PageNetwork, toCaip2 } from "@/lib/networks";
import { getNode } from "@/server/node/instance";
import "@/components/playground/styles";

export const metadata: Metadata = { title: "Pay any x402 URL" };

export default async function UrlPage({ params, searchParams }: PageProps) {
  const { network: name } = await getSource((await params).network);
  const [node, origin, query] = await Promise.all([getNode(), getOrigin(), searchParams]);
  const { network } = node.networks.get(name)!;
  const url = toSingle(query.url)?.trim() ?? "";
  const method = toSingle(query.method) === "POST" ? "POST" : "GET";
  const body = method === "POST" ? (toSingle(query.body) ?? "") : "";
  const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const call = { url, method, ...(body !== "" && { body }) };
  // The server requests the URL for its price only if the path belongs to a paid resource, so that a link can't make it
  // call another endpoint.
  const isSold = isUrl && new URL(url).origin === origin && /^\/api\/(paid|lab)\//.test(new URL(url).pathname);
  const examples = listUrlExamples(origin, name, {
    items: node.listResources(name),
    tokens: network.tokens,
    hasLab: network.embedded && network.tokens.length > 0,
  });
  const networks = listNetworks(node);
  const offer = isSold ? await findOffer(node, call) : undefined;
  const price = offer && (await toUrlPrice(offer, { network, networks }));
  return (
    <>
      <PlaygroundHead
        network={name}
        title="Pay any x402 URL"
        intro="Test your own seller: enter an endpoint that returns 402 Payment Required with an x402 version 2 price."
      />
      <UrlForm
        key={`${method} ${url} ${body}`}
        networks={networks}
        call={{ url, method, body }}
        isWrong={url !== "" && !isUrl}
      >
        <Limits network={network} />
      </UrlForm>
      {/* The grid ends with an empty row, whose gap is taken back here. */}
      <div className={`play ${isUrl ? "" : "max-[64rem]:gap-y-6 min-[64rem]:-mb-4"}`}>
        {isUrl && (
          <div className="play-resource">
            <UrlPriceCheck
              key={`${method} ${url} ${body} price`}
              call={call}
              networks={networks}
              isAsked={await isFromThisSite()}
              price={price}
            />
          </div>
        )}
        {isUrl ? (
          <PlaygroundLoader
            key={`${method} ${url} ${body}`}
            networks={networks}
            call={call}
            isForeign
            {...(price && "requirement" in price && { price: createFormatPrice(network.tokens)(price.requirement) })}
          />
        ) : (
          <div className="play-exchange">
            <DiagramGhost />
          </div>
        )}
        <div
          className={`play-facts grid [&>.sheet]:flex [&>.sheet]:flex-col ${isUrl ? "play-offer" : "order-none min-[64rem]:-mt-12"}`}
        >
          <UrlExamples network={name} origin={origin} examples={examples} call={call} />
        </div>
      </div>
    </>
  );
}

/** Which URLs and prices can be paid. */
function Limits({ network }: { network: Pick<PageNetwork, "name" | "label" | "chainId" | "tokens"> }) {
  const symbols = network.tokens.map(({ symbol }) => symbol).join(" or ");
  return (
    <div className="-mt-1 px-4 pb-4 text-13 text-ink-2">
      <ul className="list-disc pl-4">
        <li>Any public URL works, and localhost if you run Tollscan yourself.</li>
        <li>The seller must respond within 10&nbsp;s.</li>
        <li>
          {symbols === ""
            ? `${network.label} has no payment token.`
            : `You can pay up to ${maxWholeTokens} ${symbols} on ${network.label} (${toCaip2(network.chainId)}).`}
        </li>
      </ul>
      <p className="mt-2">
        No seller yet?{" "}
        <AppLink href={toPaymentsPagePath(network.name, "facilitator")} className="text-accent">
          Copy a sample
        </AppLink>
      </p>
    </div>
  );
}
