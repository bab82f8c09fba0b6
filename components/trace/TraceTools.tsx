"use client";
/** The controls above a longer call tree: a search field, and a button that collapses or expands all calls. */
import { isInner, leastSearchedRows, type TraceRow } from "@/components/trace/traceRows";
import { plural } from "@/lib/plural";

export function TraceTools({
  rows,
  text,
  matches,
  closed,
  onSearch,
  onFold,
}: {
  rows: readonly TraceRow[];
  /** What to search for. */
  text: string;
  /** The number of rows that match the search. Undefined if there is no search. */
  matches: number | undefined;
  closed: ReadonlySet<string>;
  onSearch: (text: string) => void;
  onFold: (closed: ReadonlySet<string>) => void;
}) {
  const inner = rows.filter(isInner);
  return (
    <>
      {rows.length >= leastSearchedRows && (
        <input
          type="search"
          value={text}
          onChange={(event) => onSearch(event.target.value)}
          placeholder="Search calls"
          aria-label="Search calls"
          className="search-field h-8 w-44 px-2 text-13 max-sm:w-full"
        />
      )}
      {matches !== undefined && (
        <span className="text-13 text-ink-2" role="status">
          {matches} {plural(matches, "match", "matches")}
        </span>
      )}
      {inner.length > 0 && (
        <button
          type="button"
          className="button"
          onClick={() => onFold(new Set(closed.size > 0 ? [] : inner.map(({ id }) => id)))}
        >
          {closed.size > 0 ? "Expand all" : "Collapse all"}
        </button>
      )}
    </>
  );
}
