"use client";
/** Cursor pagination with real links, so that every page has a URL and works without JavaScript. */
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { toPagePath } from "@/lib/links";

export function Pager({ path, cursor, next }: { path: string; cursor: string | undefined; next: string | null }) {
  if (cursor === undefined && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2 border-line border-t px-4 py-2">
      {cursor !== undefined && (
        <AppLink href={path} className="button">
          Newest
        </AppLink>
      )}
      {next !== null && (
        <AppLink href={toPagePath(path, next)} className="button">
          Older
          <Icon name="right" />
        </AppLink>
      )}
    </nav>
  );
}
