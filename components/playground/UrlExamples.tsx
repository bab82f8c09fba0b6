/** Example URLs to try, each with a description of what happens when a visitor pays. */
import { Icon } from "@/components/atoms/Icon";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { Sheet } from "@/components/layout/Sheet";
import { toPayUrlPath } from "@/lib/links";
import type { Token } from "@/lib/networks";
import { labPaths } from "@/lib/payflow/labPaths";
import { type CatalogEntry, catalogPath } from "@/lib/x402/catalog";
import type { PaidCall } from "./exchange";
import { createFormatPrice } from "./flowValue";

export type UrlExample = { title: string; text: string; call: PaidCall };

const readCall = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });

/**
 * Builds the examples from the resources in `items`. `hasLab` is true if this node serves the failure lab on the
 * network.
 */
export function listUrlExamples(
  origin: string,
  network: string,
  {
    items,
    tokens,
    hasLab,
  }: { items: readonly Pick<CatalogEntry, "name" | "accepts">[]; tokens: readonly Token[]; hasLab: boolean },
): UrlExample[] {
  const toUrl = (path: string) => `${origin}${path}?network=${encodeURIComponent(network)}`;
  const formatPrice = createFormatPrice(tokens);
  const findPriced = (wanted: string) => items.find(({ name }) => name === wanted)?.accepts[0];
  const fixed = findPriced("block-digest");
  const metered = findPriced("rpc");
  const sold: UrlExample[] = [
    ...(fixed
      ? [
          {
            title: "Fixed price",
            text: `Costs ${formatPrice(fixed)}, paid with one signature.`,
            call: { url: toUrl("/api/paid/block-digest"), method: "GET" },
          },
        ]
      : []),
    ...(metered
      ? [
          {
            title: "Metered",
            text: `Costs ${formatPrice(metered)}, charged per call.`,
            call: { url: toUrl("/api/paid/rpc"), method: "POST", body: readCall },
          },
        ]
      : []),
  ];
  const failing: UrlExample = {
    title: "Failing facilitator",
    text: "Asks for payment, but can’t verify it.",
    call: { url: toUrl(labPaths.facilitatorError), method: "GET" },
  };
  return [
    ...sold,
    {
      title: "Free",
      text: "Doesn’t ask for a payment.",
      call: { url: `${origin}${catalogPath}`, method: "GET" },
    },
    ...(hasLab ? [failing] : []),
    {
      title: "Private address",
      text: "Blocked before anything is sent.",
      call: { url: "http://192.168.0.1/", method: "GET" },
    },
  ];
}

/** A URL on this server as its path. The query, which only has the network, would wrap in every example. */
function toShownUrl(url: string, origin: string): string {
  return url.startsWith(`${origin}/`) ? new URL(url).pathname : url;
}

export function UrlExamples({
  network,
  origin,
  examples,
  call,
}: {
  network: string;
  origin: string;
  examples: readonly UrlExample[];
  /** The request that this page makes. If it matches an example, that example is marked as current. */
  call: PaidCall;
}) {
  return (
    <Sheet
      id="examples"
      title="Examples"
      aside={<p className="min-w-0 flex-1 text-pretty text-13 text-ink-2">Choose one to fill in the form</p>}
    >
      <nav aria-labelledby="examples" className="@container grid flex-1">
        <ul className="grid *:grid @min-[64rem]:auto-cols-fr @min-[64rem]:grid-flow-col @min-[64rem]:divide-x @min-[64rem]:divide-line @min-[64rem]:[&_a]:border-t-0!">
          {examples.map(({ title, text, call: { url, method, body } }) => (
            <li key={title}>
              <AppLink
                bare
                href={toPayUrlPath(network, { url, method, body })}
                aria-current={url === call.url && method === call.method ? "page" : undefined}
                className="play-choice py-2.5!"
              >
                {/* In a wide list, the request is beside its description. */}
                <span className="@min-[36rem]:@max-[64rem]:flex min-w-0 flex-1 items-center justify-between gap-4">
                  <span className="flex min-w-0 flex-col">
                    <span className="font-medium">{title}</span>
                    <span className="text-pretty text-13 text-ink-2">{text}</span>
                  </span>
                  <span className="mono wrap-anywhere text-ink-2">
                    <WrapText text={`${method} ${toShownUrl(url, origin)}`} />
                  </span>
                </span>
                <Icon name="right" className="text-ink-3" />
              </AppLink>
            </li>
          ))}
        </ul>
      </nav>
    </Sheet>
  );
}
