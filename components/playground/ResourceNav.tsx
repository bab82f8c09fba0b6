/** This network's paid resources with their prices, as links. The current one also has its description. */
import { AppLink } from "@/components/layout/AppLink";
import { toResourcePagePath } from "@/lib/links";
import type { Token } from "@/lib/networks";
import type { CatalogEntry } from "@/lib/x402/catalog";
import { createFormatPrice } from "./flowValue";

export function ResourceNav({
  network,
  tokens,
  items,
  url,
}: {
  network: string;
  tokens: readonly Token[];
  items: readonly Pick<CatalogEntry, "name" | "title" | "description" | "resource" | "accepts">[];
  /** The URL of the resource that this page is about, including the query string. */
  url: string;
}) {
  const toPathname = (resource: string) => resource.split("?", 1)[0];
  const formatPrice = createFormatPrice(tokens);
  return (
    <nav aria-label="Paid resources" className="play-resource sheet overflow-clip">
      {items.map(({ name, title, description, resource, accepts: [requirement] }) => {
        const isCurrent = toPathname(resource) === toPathname(url);
        return (
          <AppLink
            key={name}
            bare
            href={toResourcePagePath(network, resource)}
            aria-current={isCurrent ? "page" : undefined}
            className="play-choice play-option"
          >
            <span className="flex-1">{title}</span>{" "}
            {requirement && <span className="whitespace-nowrap text-13 text-ink-2">{formatPrice(requirement)}</span>}
            {isCurrent && <span className="play-about text-13 text-ink-2">{description}</span>}
          </AppLink>
        );
      })}
    </nav>
  );
}
