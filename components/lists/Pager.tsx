"use client";
/** Cursor pagination with real links, so that every page has a URL and works without JavaScript. */
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { toPagePath } from "@/lib/links";

/** Labels for lists that are not sorted by age. */
export const plainPagerLabels = ["First page", "Next"] as const;

export function Pager({
  path,
  cursor,
  next,
  labels: [first, more] = ["Newest", "Older"],
}: {
  path: string;
  cursor: string | undefined;
  next: string | null;
  /** The labels of the links to the first and next pages. */
  labels?: readonly [string, string];
}) {
  if (cursor === undefined && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-line border-t px-4 py-2">
      {cursor !== undefined && (
        <AppLink href={path} className="button">
          {first}
        </AppLink>
      )}
      {next !== null && (
        <AppLink href={toPagePath(path, next)} className="button">
          {more}
          <Icon name="right" />
        </AppLink>
      )}
    </nav>
  );
}
