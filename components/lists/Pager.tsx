"use client";
/** Cursor pagination with real links, so that every page has a URL and works without JavaScript. */
import type { ReactNode } from "react";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { toPagePath } from "@/lib/links";
import { plural } from "@/lib/plural";

/** Labels for lists that are not sorted by age. */
export const plainPagerLabels = ["First page", "Next"] as const;

/** How many rows all pages have together, if something counted them: "314 transactions". */
export type Total = { count: string; unit: string };

export function Pager({
  path,
  nextPath = path,
  cursor,
  next,
  rows,
  total,
  foot,
  labels: [first, more] = ["Newest", "Older"],
}: {
  path: string;
  /** The base path of the next page, if it differs. */
  nextPath?: string | undefined;
  cursor: string | undefined;
  next: string | null;
  /** The rows on the page. */
  rows: readonly unknown[];
  total?: Total | undefined;
  /** A short text at the other end of the line. The default describes the rows. */
  foot?: ReactNode;
  /** The labels of the links to the first and next pages. */
  labels?: readonly [string, string];
}) {
  const links = (cursor !== undefined || next !== null) && (
    <nav aria-label="Pages" className="ml-auto flex gap-2">
      {cursor !== undefined && (
        <AppLink href={path} className="button">
          {first}
        </AppLink>
      )}
      {next !== null && (
        <AppLink href={toPagePath(nextPath, next)} className="button">
          {more}
          <Icon name="right" />
        </AppLink>
      )}
    </nav>
  );
  if (!links && !foot) return null;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-2">
      <p className="text-13 text-ink-2">{foot || (total ? toShare(rows, total) : toRange(rows))}</p>
      {links}
    </div>
  );
}

/** "25 of 75 holders" */
const toShare = (rows: readonly unknown[], { count, unit }: Total) => `${rows.length} of ${count} ${unit}`;

/** "25 rows · blocks 1385–1409" */
function toRange(rows: readonly unknown[]): string {
  const count = `${rows.length} ${plural(rows.length, "row")}`;
  const [first, last] = [rows[0], rows.at(-1)].map(findBlockNumber);
  if (first === undefined || last === undefined) return count;
  return `${count} · ${first === last ? `block ${first}` : `blocks ${Math.min(first, last)}–${Math.max(first, last)}`}`;
}

function findBlockNumber(row: unknown): number | undefined {
  const number = (row as { blockNumber?: string | null } | undefined)?.blockNumber;
  return number ? Number(number) : undefined;
}
