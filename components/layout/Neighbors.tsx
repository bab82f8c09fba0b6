"use client";
/** Links to the previous and next items, which the keys [ and ] also open. */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";

type Neighbor = { path: string; label: string; hint?: string };

export function Neighbors({
  label,
  previous,
  next,
  end,
}: {
  label: string;
  previous: Neighbor | undefined;
  next: Neighbor | undefined;
  /** Shown instead of the next item if there is none. */
  end?: ReactNode;
}) {
  return (
    // On phones, only the arrows have room beside the title.
    <nav aria-label={label} className="flex gap-2 empty:hidden max-sm:[&>.button]:px-2">
      {previous && (
        <AppLink href={previous.path} className="button" title={previous.hint} data-previous aria-keyshortcuts="[">
          <Icon name="left" />
          <span className="max-sm:sr-only">{previous.label}</span>
        </AppLink>
      )}
      {next ? (
        <AppLink href={next.path} className="button" title={next.hint} data-next aria-keyshortcuts="]">
          <span className="max-sm:sr-only">{next.label}</span>
          <Icon name="right" />
        </AppLink>
      ) : (
        end
      )}
    </nav>
  );
}
