/** A row's first cell, with a tag behind it on phones. Wider screens have a column for the tag. */
import type { ReactNode } from "react";

export function RowTag({ tag, children }: { tag: ReactNode; children: ReactNode }) {
  return (
    // The narrowest phones have no room for the mark besides.
    <span className="flex min-w-0 items-center gap-2 max-[22rem]:[&_.hashmark]:hidden">
      {children}
      {tag && <span className="row-tag flex min-w-0 md:hidden">{tag}</span>}
    </span>
  );
}
