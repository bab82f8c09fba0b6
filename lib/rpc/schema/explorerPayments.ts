/**
 * explorer_ methods about payments: the facilitator's ledger as lists, single entries and totals. Lists are newest
 * first and paged by an opaque cursor: pass next as before; null means there are no more rows.
 */
import { z } from "zod";
import { address, hash32 } from "@/lib/rpc/codec";
import { paymentCursor, totalCursor } from "@/lib/rpc/cursor";
import { paymentSeriesShape, paymentShape, paymentState, paymentTotalShape } from "@/lib/rpc/explorerShapes";
import { limit, paged } from "@/lib/rpc/page";
import { defineMethods } from "@/lib/rpc/schema/define";
import { developer, unknownHash } from "@/lib/rpc/schema/exampleValues";

/** The same limits as the facilitator's. */
const resource = z.string().min(1).max(4096, "resource is longer than 4096 characters");

export const explorerPaymentsMethods = defineMethods("reads", {
  explorer_getPayment: {
    summary: "Payments that a transaction settled, or the one of an id.",
    paramNames: ["tx_hash"],
    params: z.tuple([hash32]),
    result: z.array(paymentShape),
    isExported: true,
    examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
    toLiveExamples: async ({ settlement }) => {
      const hash = await settlement();
      return hash === undefined ? undefined : [{ summary: "The newest settlement", params: [hash] }];
    },
  },

  explorer_getPayments: {
    summary:
      "Payments that the facilitator has seen on this network, newest first; of a payer, payee, resource or state where they are given. A page may be short of its limit while next is not null.",
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
      { summary: "The newest ten", params: [{ limit: 10 }] },
      { summary: "What a developer account paid", params: [{ payer: developer, state: "settled" }] },
    ],
  },

  explorer_getPaymentTotals: {
    summary: "Counts and sums of payments per resource, payee or state, ascending; hand back next as after.",
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
    examples: [{ summary: "What each resource earned", params: [{ by: "resource", limit: 10 }] }],
  },

  explorer_getPaymentSeries: {
    summary:
      "The newest settled payments, at most 2,000, over time and by the size of their transactions; of a resource or a payee where one is given.",
    paramNames: ["filter"],
    params: z.tuple([
      z
        .object({
          resource: resource.nullish(),
          payee: address.nullish(),
          spans: z.int().min(1).max(200, "at most 200 spans").nullish(),
        })
        .nullish()
        .transform((given) => ({ ...given })),
    ]),
    result: paymentSeriesShape,
    isExported: true,
    examples: [
      { summary: "All payments in ten spans", params: [{ spans: 10 }] },
      { summary: "What a developer account was paid", params: [{ payee: developer }] },
    ],
  },
});
