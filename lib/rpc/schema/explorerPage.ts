/**
 * The page param for explorer_ lists. Lists are sorted newest first unless their summary says otherwise. If `next` is
 * null, there are no more rows.
 */
import { z } from "zod";
import { address } from "@/lib/rpc/codec";
import { blockCursor, indexCursor, transactionCursor } from "@/lib/rpc/cursor";
import { limit } from "@/lib/rpc/page";

/** Filters for a list of transactions. A transaction must match every filter that is set. */
const transactionFilter = {
  failed: z.boolean().nullish().describe("Only failed transactions"),
  payment: z.boolean().nullish().describe("Only transactions that settled an x402 payment"),
  creation: z.boolean().nullish().describe("Only transactions that created a contract"),
  method: z.string().max(100).nullish().describe("A selector, or the name of a function that the node knows"),
  token: address.nullish().describe("Only transactions that transferred this token"),
};
type GivenFilter = z.output<z.ZodObject<typeof transactionFilter>>;
export type TransactionFilterFields = { [Name in keyof GivenFilter]?: NonNullable<GivenFilter[Name]> };

function toFilterFields(given: GivenFilter | null | undefined): TransactionFilterFields {
  const { failed, payment, creation, method, token } = given ?? {};
  return {
    ...(failed && { failed }),
    ...(payment && { payment }),
    ...(creation && { creation }),
    ...(method && { method }),
    ...(token && { token }),
  };
}

/** { before, limit } with filters. */
export const transactionPage = z
  .object({ before: transactionCursor.nullish(), limit, ...transactionFilter })
  .nullish()
  .transform((given) => ({ ...toPage("before", given?.before, given?.limit), filter: toFilterFields(given) }));

/** { after, limit } with filters, for a block's transactions. */
export const blockTransactionPage = z
  .object({ after: indexCursor.nullish(), limit, ...transactionFilter })
  .nullish()
  .transform((given) => ({
    after: given?.after ?? -1,
    limit: given?.limit ?? 25,
    filter: toFilterFields(given),
  }));

/** { before, limit } for blocks, with an option to skip empty blocks. */
export const blockPage = z
  .object({ before: blockCursor.nullish(), limit, skipsEmpty: z.boolean().nullish().describe("Omits empty blocks") })
  .nullish()
  .transform((given) => ({
    ...toPage("before", given?.before, given?.limit),
    ...(given?.skipsEmpty && { skipsEmpty: true }),
  }));

/** { before, limit }, for lists sorted newest first. */
export function pageBefore<Cursor extends z.ZodType>(cursor: Cursor) {
  return z
    .object({ before: cursor.nullish(), limit })
    .nullish()
    .transform((given) => toPage("before", given?.before as z.output<Cursor> | null | undefined, given?.limit));
}

/** { after, limit }, for lists in ascending order. */
export function pageAfter<Cursor extends z.ZodType>(cursor: Cursor) {
  return z
    .object({ after: cursor.nullish(), limit })
    .nullish()
    .transform((given) => toPage("after", given?.after as z.output<Cursor> | null | undefined, given?.limit));
}

function toPage<Name extends string, Value>(name: Name, cursor: Value | null | undefined, rows = 25) {
  return { ...(cursor == null ? {} : { [name]: cursor }), limit: rows } as { limit: number } & { [K in Name]?: Value };
}
