/**
 * What can be bought on a network: each resource with its price, the way it is paid and a place to try it.
 */
"use client";

import { useNetworkContext } from "@/components/chain/NetworkContext";
import { Snippet } from "@/components/chain/Snippet";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { toSectionPath } from "@/lib/links";
import { t } from "@/lib/messages/translatePayments";
import { type CatalogueEntry, type CataloguePrice, cataloguePath } from "@/lib/x402/catalogue";

export function ResourceList({ entries }: { entries: readonly CatalogueEntry[] }) {
  const { network, origin } = useNetworkContext();
  const [first] = entries;
  if (!first) {
    return (
      <Sheet>
        <Empty level="h2" title={t("resources.none", { network: network.label })}>
          {t("resources.noneHint")}
        </Empty>
      </Sheet>
    );
  }
  return (
    <>
      <Sheet
        id="resources"
        title={t("resources.list")}
        aside={
          <a href={cataloguePath} className="app-link text-12 text-accent">
            {t("resources.json")}
          </a>
        }
      >
        <ul className="divide-y divide-line">
          {entries.map((entry) => (
            <ResourceItem key={entry.name} entry={entry} />
          ))}
        </ul>
      </Sheet>
      <Sheet id="from-program" title={t("resources.fromProgram")}>
        <p className="px-4 py-3 text-13 text-ink-2">{t("resources.fromProgramHint")}</p>
        <Snippet what={t("what.command")} code={`curl -i "${origin}${first.resource}"`} />
      </Sheet>
    </>
  );
}

function ResourceItem({ entry }: { entry: CatalogueEntry }) {
  const { network } = useNetworkContext();
  const { title, description, method, resource, price } = entry;
  const playground = `${toSectionPath(network.name, "playground")}?resource=${encodeURIComponent(resource)}`;
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_12rem_auto] sm:items-center">
      <div className="min-w-0">
        <h3 className="text-14 font-medium">{title}</h3>
        <p className="max-w-prose text-13 text-ink-2">{description}</p>
        <p className="mono mt-1 break-all text-12 text-ink-3">
          {method} {resource.split("?", 1)[0]}
        </p>
      </div>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 sm:block sm:text-right">
        <p className="font-medium tabular-nums">{toAmount(price)}</p>
        <p className="text-12 text-ink-2">{price.per ? t("resources.per", price.per) : t("resources.each")}</p>
        <p className="w-full text-12 text-ink-3">
          {toWay(entry)} {t("resources.in", { symbol: price.symbol })}
        </p>
      </div>
      <AppLink href={playground} className="button justify-self-start" aria-label={t("resources.tryWhat", { title })}>
        {t("resources.try")}
      </AppLink>
    </li>
  );
}

function toAmount({ scheme, amount }: CataloguePrice): string {
  return scheme === "upto" ? t("resources.upTo", { amount }) : amount;
}

function toWay({ accepts, price }: CatalogueEntry): string {
  if (price.scheme === "upto") return t("resources.upto");
  const isPermit2 = accepts[0]?.extra?.assetTransferMethod === "permit2";
  return t(isPermit2 ? "resources.exactPermit2" : "resources.exactSigned");
}
