/** One search result in a list: its kind, its title, and a detail if there is room. */
import type { SearchItem } from "@/components/search/searchItems";

export function SearchOption({ item: { kind, title, isCode, detail } }: { item: Omit<SearchItem, "path"> }) {
  return (
    <>
      <span className="label w-24 shrink-0">{kind}</span>
      <span className={`min-w-0 truncate ${isCode ? "mono" : ""}`}>{title}</span>
      {detail && <span className="min-w-0 flex-1 truncate text-12 text-ink-3 max-sm:hidden">{detail}</span>}
    </>
  );
}
