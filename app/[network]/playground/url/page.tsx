/**
 * Pays any x402 URL. The form works without JavaScript. The page's URL contains the URL to pay, so it can be shared.
 */
import type { Metadata } from "next";
import { getSource, listNetworks, type PageProps, toSingle } from "@/app/[network]/loadPage";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { PlaygroundHead } from "@/components/playground/PlaygroundHead";
import { PlaygroundLoader } from "@/components/playground/PlaygroundLoader";
import { UrlForm } from "@/components/playground/UrlForm";
import { getNode } from "@/server/node/instance";

export const metadata: Metadata = { title: "Pay any x402 URL" };

export default async function UrlPage({ params, searchParams }: PageProps) {
  const { network: name } = await getSource((await params).network);
  const node = await getNode();
  const query = await searchParams;
  const url = toSingle(query.url)?.trim() ?? "";
  const method = toSingle(query.method) === "POST" ? "POST" : "GET";
  const body = method === "POST" ? (toSingle(query.body) ?? "") : "";
  const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const call = { url, method, ...(body !== "" && { body }) };
  return (
    <>
      <PlaygroundHead
        network={name}
        title="Pay any x402 URL"
        intro="This server sends the requests, to public http and https URLs only. Your browser signs, for at most 10 tokens per payment."
      />
      <div className="play">
        <div className="play-resource">
          <UrlForm network={name} url={url} method={method} body={body} isWrong={url !== "" && !isUrl} />
        </div>
        {isUrl ? (
          <PlaygroundLoader key={`${method} ${url} ${body}`} networks={listNetworks(node)} call={call} isForeign />
        ) : (
          <div className="play-exchange">
            <Sheet>
              <Empty level="h2" title="No URL yet">
                Enter any x402 v2 endpoint.
              </Empty>
            </Sheet>
          </div>
        )}
      </div>
    </>
  );
}
