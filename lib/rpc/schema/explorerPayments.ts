/**
 * explorer_ methods about the payments in the facilitator's ledger: lists, single payments and totals. Lists are sorted
 * newest first and are paginated with an opaque cursor: pass `next` as `before`. If `next` is null, there are no more
 * rows.
 */
import { z } from "zod";
import { address, hash32, hexHash } from "@/lib/rpc/codec";
import { paymentCursor, totalCursor } from "@/lib/rpc/cursor";
import {
  earningsShape,
  exchangeShape,
  paymentSeriesShape,
  paymentShape,
  paymentState,
  paymentTotalShape,
} from "@/lib/rpc/explorerShapes";
import { limit, paged } from "@/lib/rpc/page";
import { defineMethods } from "@/lib/rpc/schema/define";
import { developer, unknownHash } from "@/lib/rpc/schema/exampleValues";

/** The facilitator enforces the same length limit. */
const resource = z.string().min(1).max(4096, "must be at most 4096 characters");

const reads = defineMethods("reads", {
  explorer_getPayment: {
    summary: "Returns a payment by ID, or the payments that a transaction settled.",
    paramNames: ["tx_hash"],
    params: z.tuple([hash32]),
    result: z.array(paymentShape),
    isExported: true,
    examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
    toLiveExamples: async ({ settlement }) => {
      const hash = await settlement();
      return hash === undefined ? undefined : [{ summary: "Latest settlement", params: [hash] }];
    },
  },

  explorer_getExchange: {
    summary:
      "Returns a payment's recorded HTTP exchange, starting with the 402 response, by record ID or payment ID; null if there is no record. Only the latest records are kept.",
    paramNames: ["id"],
    params: z.tuple([
      z
        .string()
        .max(66)
        .regex(/^(0x[0-9a-fA-F]{64}|[a-z0-9]{12})$/, "must be a record ID or a payment ID"),
    ]),
    result: exchangeShape.nullable(),
    isExported: true,
    examples: [{ summary: "An unknown record", params: ["unknown22222"] }],
  },

  explorer_getPayments: {
    summary:
      "Lists the facilitator's payments on this network, newest first, optionally filtered by payer, payee, resource or state. A page may have fewer rows than 'limit' even if 'next' is not null.",
    paramNames: ["page"],
    params: z.tuple([
      z
        .object({
          before: paymentCursor.nullish(),
          limit,
          payer: address.nullish(),
          payee: address.nullish(),
          resource: resource.nullish(),
          state: paymentState.nullish(),
        })
        .nullish()
        .transform((given) => given ?? { limit: 25 }),
    ]),
    result: paged(paymentShape),
    isExported: true,
    cursor: "before",
    examples: [
      { summary: "Latest 10", params: [{ limit: 10 }] },
      { summary: "Payments by a developer account", params: [{ payer: developer, state: "settled" }] },
    ],
  },

  explorer_getPaymentTotals: {
    summary:
      "Returns payment counts and sums per resource, payee or state, sorted by that key; for the next page, pass the result's 'next' as 'after'.",
    paramNames: ["page"],
    params: z.tuple([
      z.object({
        by: z.enum(["resource", "payee", "state"]),
        subject: z.string().max(4096).nullish(),
        after: totalCursor.nullish(),
        limit,
      }),
    ]),
    result: paged(paymentTotalShape),
    isExported: true,
    cursor: "after",
    examples: [{ summary: "Revenue per resource", params: [{ by: "resource", limit: 10 }] }],
  },

  explorer_getEarnings: {
    summary:
      "Returns what each resource or payee earned after refunds, highest first. The number of payers, the number of failures and the last payment are computed from only the latest 2,000 payments.",
    paramNames: ["query"],
    params: z.tuple([z.object({ by: z.enum(["resource", "payee"]), limit })]),
    result: earningsShape,
    isExported: true,
    examples: [{ summary: "The 10 payees that earned the most", params: [{ by: "payee", limit: 10 }] }],
  },

  explorer_getPaymentSeries: {
    summary:
      "Returns totals of the latest settled payments (at most 2,000) per time span and per batch size, optionally for one resource or payee. The time spans count the payments in `asset` (by default, the asset of most payments). `spans` is their maximum number.",
    paramNames: ["filter"],
    params: z.tuple([
      z
        .object({
          resource: resource.nullish(),
          payee: address.nullish(),
          asset: address.nullish(),
          spans: z.int().min(1).max(200, "must be at most 200").nullish(),
        })
        .nullish()
        .transform((given) => ({ ...given })),
    ]),
    result: paymentSeriesShape,
    isExported: true,
    examples: [
      { summary: "All payments in at most 10 time spans", params: [{ spans: 10 }] },
      { summary: "Payments to a developer account", params: [{ payee: developer }] },
    ],
  },
});

export const explorerPaymentsMethods = {
  ...reads,
  ...defineMethods("signs", {
    explorer_refund: {
      summary:
        "Refunds a settled payment in full if this node has the payee's key (the demo seller's or a test account's); null if there is no such payment.",
      paramNames: ["payment"],
      params: z.tuple([hash32]),
      result: z.strictObject({ payment: hexHash, transaction: hexHash }).nullable(),
      examples: [{ summary: "An unknown payment", params: [unknownHash] }],
    },
  }),
};
