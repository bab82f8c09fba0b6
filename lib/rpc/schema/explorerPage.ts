/**
 * The page param of explorer_ lists. Lists are newest first unless their summary says otherwise. If `next` is null,
 * there are no more rows.
 */
import { z } from "zod";
import { limit } from "@/lib/rpc/page";

/** { before, limit } */
export function pageBefore<Cursor extends z.ZodType>(cursor: Cursor) {
  return z
    .object({ before: cursor.nullish(), limit })
    .nullish()
    .transform((given) => toPage("before", given?.before as z.output<Cursor> | null | undefined, given?.limit));
}

/** { after, limit }, for ascending lists. */
export function pageAfter<Cursor extends z.ZodType>(cursor: Cursor) {
  return z
    .object({ after: cursor.nullish(), limit })
    .nullish()
    .transform((given) => toPage("after", given?.after as z.output<Cursor> | null | undefined, given?.limit));
}

function toPage<Name extends string, Value>(name: Name, cursor: Value | null | undefined, rows = 25) {
  return { ...(cursor == null ? {} : { [name]: cursor }), limit: rows } as { limit: number } & { [K in Name]?: Value };
}
