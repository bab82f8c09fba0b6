/** Two parties in one cell, for narrow layouts. On a page about one of them, only the other is given. */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";

export function PartiesCell({ from, to, compact = false }: { from?: ReactNode; to?: ReactNode; compact?: boolean }) {
  return (
    <span className={`parties flex items-center gap-1.5 ${compact ? "parties-compact" : ""}`}>
      {from}
      <Icon name="arrow" className="text-ink-3" />
      {to}
    </span>
  );
}
