/**
 * Two parties in one cell, for narrow layouts. On a page about one of them, only the other is given, after "from" or "to".
 * Neither is given if an address sends to itself.
 */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";

export function PartiesCell({ from, to, compact = false }: { from?: ReactNode; to?: ReactNode; compact?: boolean }) {
  const isSelf = from === undefined && to === undefined;
  return (
    <span
      className={`parties flex items-center gap-x-1 sm:gap-x-1.5 ${compact ? "parties-compact" : ""} ${from && to ? "" : "parties-alone"}`}
    >
      {to !== undefined && from}
      {/* If they wrap, the arrow is beside its recipient. */}
      <span className="flex min-w-0 items-center gap-x-1">
        {from && to ? (
          <Icon name="arrow" className="text-ink-3 max-sm:w-3!" />
        ) : (
          // On wider screens, the direction has a column of its own.
          <span className={`min-w-8 text-13 md:sr-only ${from ? "text-pos" : "text-ink-2"}`}>
            {from ? "from" : "to"}
          </span>
        )}
        {isSelf ? <span className="text-ink-2">itself</span> : (to ?? from)}
      </span>
    </span>
  );
}
