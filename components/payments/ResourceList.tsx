/** The paid resources on a network, each with its price, its payment method and a link to try it. */
"use client";

import { Hinted } from "@/components/atoms/Hinted";
import { Snippet } from "@/components/atoms/Snippet";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { NothingForSale } from "@/components/payments/NothingForSale";
import { toResourcePagePath, toSectionPath } from "@/lib/links";
import type { CatalogEntry, CatalogPrice } from "@/lib/x402/catalog";
import { toPaymentWay } from "@/lib/x402/paymentWay";

export function ResourceList({ entries }: { entries: readonly CatalogEntry[] }) {
  const { network, origin } = useNetworkContext();
  const [first] = entries;
  if (!first) {
    return <NothingForSale network={network.label} />;
  }
  return (
    <>
      <Sheet>
        <ul className="divide-y divide-line">
          {entries.map((entry) => (
            <ResourceItem key={entry.name} entry={entry} />
          ))}
        </ul>
      </Sheet>
      <Sheet id="from-program" title="From your own program">
        <p className="border-line border-b px-4 py-3 text-13 text-ink-2">
          A request without a payment returns 402 with the price. Any x402 v2 client can pay:{" "}
          <AppLink
            href={`${toSectionPath(network.name, "docs")}#pay`}
            className="inline text-accent underline decoration-edge"
          >
            see the docs
          </AppLink>
          .
        </p>
        <Snippet isWhole what="command" code={`curl -i "${origin}${first.resource}"`} />
      </Sheet>
    </>
  );
}

function ResourceItem({ entry }: { entry: CatalogEntry }) {
  const { network } = useNetworkContext();
  const { title, description, method, resource, price, accepts } = entry;
  const way = toPaymentWay({ scheme: price.scheme, extra: accepts[0]?.extra });
  const playground = toResourcePagePath(network.name, resource);
  const endpoint = (
    <>
      <code className="mono mt-1 wrap-anywhere text-12 text-ink-2">
        <WrapText text={`${method} ${resource.split("?", 1)[0]}`} />
      </code>
      <span className="block text-12 text-ink-3 leading-5">query: {listParameters(entry).join(", ")}</span>
    </>
  );
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 px-4 py-3 sm:max-lg:gap-x-4 sm:grid-cols-[minmax(0,1fr)_9.5rem_auto] sm:max-lg:*:not-last:self-start lg:grid-cols-[minmax(0,1fr)_13.5rem_9.5rem_7rem_auto]">
      <div className="min-w-0 max-sm:col-span-2">
        <h2 className="text-14 font-medium leading-5">
          <AppLink href={playground} className="-my-0.5 inline-block py-0.5">
            {title}
          </AppLink>
        </h2>
        <p className="max-w-[44rem] text-pretty text-13 text-ink-2 leading-5">{description}</p>
        <div className="lg:hidden">{endpoint}</div>
      </div>
      {/* From lg up, each part of a row has a column. */}
      <div className="max-lg:hidden">{endpoint}</div>
      <div className="min-w-0 sm:text-right lg:contents">
        <p className="lg:text-right">
          <span className="block font-medium tabular-nums text-14 leading-5">{toText(price)}</span>
          <span className="block text-12 text-ink-2 leading-5">
            {price.per ? `${toTokens(price.per.amount, price.symbol)} per ${price.per.unit}` : "per request"}
          </span>
        </p>
        <p className="text-12 text-ink-2 max-lg:mt-1 lg:text-left">
          <Hinted hint={way.text}>{way.name}</Hinted>
        </p>
      </div>
      <AppLink href={playground} className="button" aria-label={`Try it: ${title} in the playground`}>
        Try it
      </AppLink>
    </li>
  );
}

/** The names of the query's parameters. */
function listParameters({ method, input }: CatalogEntry): string[] {
  return ["network", ...(method === "GET" ? Object.keys(input.properties ?? {}) : [])];
}

function toText({ scheme, amount, symbol }: CatalogPrice): string {
  return `${scheme === "upto" ? "up to " : ""}${toTokens(amount, symbol)}`;
}

/** "$0.1" as "0.10 USDC": like other amounts in lists, with at least two decimals. */
function toTokens(dollars: string, symbol: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 18 };
  return `${Number(dollars.replace("$", "")).toLocaleString("en-US", digits)} ${symbol}`;
}
