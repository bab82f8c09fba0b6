/**
 * Two parties in one cell, for narrow layouts. On a page about one of them, only the other is given, after an arrow that
 * points to the recipient.
 */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";

export function PartiesCell({ from, to, compact = false }: { from?: ReactNode; to?: ReactNode; compact?: boolean }) {
  return (
    <span
      className={`parties flex items-center gap-x-1 sm:gap-x-1.5 ${compact ? "parties-compact" : ""} ${from && to ? "" : "parties-alone"}`}
    >
      {to !== undefined && from}
      {/* If they wrap, the arrow is beside its recipient. */}
      <span className="flex min-w-0 items-center gap-x-1 sm:gap-x-1.5">
        <Icon name="arrow" className={`text-ink-3 max-sm:w-3! ${to === undefined ? "rotate-180" : ""}`} />
        {to ?? from}
      </span>
    </span>
  );
}
