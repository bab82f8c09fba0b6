"use client";
/** The controls above a call tree: a search field, and a button that collapses or expands all calls. */
import type { TraceRow } from "@/components/trace/traceRows";
import { plural } from "@/lib/plural";

export function CallSearch({
  text,
  onChange,
  matches,
}: {
  text: string;
  onChange: (text: string) => void;
  /** The number of rows that match the search. Undefined if there is no search. */
  matches: number | undefined;
}) {
  return (
    <>
      <input
        type="search"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        placeholder="Search calls"
        aria-label="Search calls"
        className="search-field h-8 w-44 px-2 text-13 max-sm:w-full"
      />
      {matches !== undefined && (
        <span className="text-13 text-ink-2" role="status">
          {matches} {plural(matches, "match", "matches")}
        </span>
      )}
    </>
  );
}

/** Collapses every call below the root, or expands all of them. */
export function FoldButton({
  rows,
  closed,
  onChange,
}: {
  rows: readonly TraceRow[];
  closed: ReadonlySet<string>;
  onChange: (closed: ReadonlySet<string>) => void;
}) {
  const inner = rows.filter(({ children, depth }) => children > 0 && depth > 0);
  if (inner.length === 0) return null;
  return (
    <button
      type="button"
      className="button"
      onClick={() => onChange(new Set(closed.size > 0 ? [] : inner.map(({ id }) => id)))}
    >
      {closed.size > 0 ? "Expand all" : "Collapse all"}
    </button>
  );
}
