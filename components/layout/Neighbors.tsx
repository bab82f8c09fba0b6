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
    <nav aria-label={label} className="flex gap-2 empty:hidden max-sm:basis-full">
      {previous && (
        <AppLink href={previous.path} className="button" title={previous.hint} data-previous aria-keyshortcuts="[">
          <Icon name="left" />
          {previous.label}
        </AppLink>
      )}
      {next ? (
        <AppLink href={next.path} className="button" title={next.hint} data-next aria-keyshortcuts="]">
          {next.label}
          <Icon name="right" />
        </AppLink>
      ) : (
        end
      )}
    </nav>
  );
}
