"use client";
/**
 * A search that found nothing: as what the text was looked up, and where else it may be.
 */
import { useNetwork } from "@/components/chain/NetworkContext";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { findIdentifier, toSearchPath } from "@/lib/links";
import { t } from "@/lib/messages/translateHome";

export function SearchMissing({
  text,
  lookedUp,
  others,
}: {
  text: string;
  lookedUp: string[];
  others: { name: string; label: string }[];
}) {
  const network = useNetwork();
  const hasShape = findIdentifier(text) !== undefined;
  return (
    <Sheet>
      <Empty level="h1" icon="search" title={t("search.noneTitle", { text, network: network.label })}>
        <p>
          {lookedUp.length > 0
            ? t("search.lookedUp", { kinds: new Intl.ListFormat("en", { type: "disjunction" }).format(lookedUp) })
            : t("search.noShape")}
        </p>
        {!hasShape && <p>{t("search.shapes")}</p>}
        {hasShape && others.length > 0 && (
          <>
            <p>{t("search.otherNetwork")}</p>
            <p className="flex flex-wrap gap-2">
              {others.map(({ name, label }) => (
                <AppLink key={name} href={toSearchPath(name, text)} className="button">
                  {label}
                </AppLink>
              ))}
            </p>
          </>
        )}
      </Empty>
    </Sheet>
  );
}
