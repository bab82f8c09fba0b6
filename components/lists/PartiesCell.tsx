/**
 * Two parties in one cell, for narrow layouts. On a page about one of them, only the other is given, after an arrow that
 * points to the recipient.
 */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";

/** On phones, a single party has room for a whole short address. */
const aloneClass = "max-sm:gap-2 max-sm:[&_.hash]:w-[11.25ch] max-sm:[&>.identifier]:gap-2";

export function PartiesCell({ from, to, compact = false }: { from?: ReactNode; to?: ReactNode; compact?: boolean }) {
  return (
    <span
      className={`parties flex items-center gap-1.5 ${compact ? "parties-compact" : ""} ${from && to ? "" : aloneClass}`}
    >
      {to !== undefined && from}
      <Icon name="arrow" className={`text-ink-3 ${to === undefined ? "rotate-180" : ""}`} />
      {to ?? from}
    </span>
  );
}
