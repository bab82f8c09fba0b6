/** One search result in a list: its kind, its title and a detail. On phones, the title is on its own line. */
import type { SearchItem } from "@/components/search/searchItems";

export function SearchOption({ item: { kind, title, isCode, detail } }: { item: Omit<SearchItem, "path"> }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-center sm:gap-3">
      <span className="label order-1 truncate sm:order-none sm:w-24 sm:shrink-0">
        {kind}
        {detail && <span className="font-normal sm:hidden"> · {detail}</span>}
      </span>
      <span className={`min-w-0 truncate text-ink ${isCode ? "mono" : ""}`}>{title}</span>
      {detail && <span className="min-w-0 flex-1 truncate text-12 text-ink-3 max-sm:hidden">{detail}</span>}
    </span>
  );
}
