/** One search result in a list: its title, a detail and its kind. On phones, the title is on its own line. */
import type { ReactNode } from "react";
import type { SearchItem } from "@/components/search/searchItems";

export function SearchOption({
  item: { kind, title, isCode, detail },
}: {
  item: Pick<SearchItem, "kind" | "isCode"> & { title: ReactNode; detail?: ReactNode };
}) {
  return (
    <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-center sm:gap-3">
      <span className="label order-1 truncate sm:ml-auto sm:shrink-0">
        {kind}
        {detail && <span className="font-normal sm:hidden"> · {detail}</span>}
      </span>
      <span className={`min-w-0 truncate text-ink ${isCode ? "mono" : ""}`}>{title}</span>
      {detail && <span className="min-w-0 flex-1 truncate text-12 text-ink-3 max-sm:hidden">{detail}</span>}
    </span>
  );
}
