/** Links to the playground pages of this network's paid resources. */
import { AppLink } from "@/components/layout/AppLink";
import { toSectionPath } from "@/lib/links";
import type { CatalogEntry } from "@/lib/x402/catalog";

export function ResourceNav({
  network,
  items,
  url,
}: {
  network: string;
  items: readonly Pick<CatalogEntry, "name" | "title" | "resource">[];
  /** The resource of this page, with its query. */
  url: string;
}) {
  const toPathname = (resource: string) => resource.split("?", 1)[0];
  return (
    <nav aria-label="Paid resources" className="play-resources">
      {items.map(({ name, title, resource }) => (
        <AppLink
          key={name}
          href={`${toSectionPath(network, "playground")}?resource=${encodeURIComponent(resource)}`}
          aria-current={toPathname(resource) === toPathname(url) ? "page" : undefined}
          className="no-underline"
        >
          {title}
        </AppLink>
      ))}
    </nav>
  );
}
