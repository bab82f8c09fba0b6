/** This network's paid resources with their prices, as links. */
import { AppLink } from "@/components/layout/AppLink";
import { toSectionPath } from "@/lib/links";
import type { CatalogEntry } from "@/lib/x402/catalog";

export function ResourceNav({
  network,
  items,
  url,
}: {
  network: string;
  items: readonly Pick<CatalogEntry, "name" | "title" | "resource" | "price">[];
  /** The URL of the resource that this page is about, including the query string. */
  url: string;
}) {
  const toPathname = (resource: string) => resource.split("?", 1)[0];
  return (
    <nav aria-label="Paid resources" className="play-resource sheet">
      {items.map(({ name, title, resource, price: { amount, scheme } }) => (
        <AppLink
          key={name}
          bare
          href={`${toSectionPath(network, "playground")}?resource=${encodeURIComponent(resource)}`}
          aria-current={toPathname(resource) === toPathname(url) ? "page" : undefined}
          className="play-choice"
        >
          <span>{title}</span> <span className="text-ink-2">{scheme === "upto" ? `up to ${amount}` : amount}</span>
        </AppLink>
      ))}
    </nav>
  );
}
