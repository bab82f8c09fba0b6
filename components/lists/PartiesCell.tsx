/** Two parties in one cell, for narrow places. */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";

export function PartiesCell({ from, to }: { from: ReactNode; to: ReactNode }) {
  return (
    <span className="parties flex items-center gap-1.5">
      {from}
      <Icon name="arrow" className="text-ink-3" />
      {to}
    </span>
  );
}
