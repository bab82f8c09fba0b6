/** explorer_ methods for payments, read from the facilitator's ledger. */
import { paymentCursor, totalCursor } from "@/lib/rpc/cursor";
import type { Hash } from "@/server/ethereum/types";
import { readEarnings } from "@/server/explorer/paymentEarnings";
import { readPaymentSeries } from "@/server/explorer/paymentSeries";
import { findPayments, listPayments } from "@/server/explorer/payments";
import { readPage } from "@/server/rpc/encodeExplorer";
import {
  encodeEarnings,
  encodeExchange,
  encodePayment,
  encodePaymentSeries,
  encodeTotal,
} from "@/server/rpc/encodePayments";
import { handlers } from "@/server/rpc/ports";

const noAsset = "0x0000000000000000000000000000000000000000";

export const paymentsHandlers = {
  ...handlers(["payments"], {
    explorer_getPayment: async ({ payments }, hash) => (await findPayments(payments, hash)).map(encodePayment),

    explorer_getExchange: async ({ payments }, id) => {
      const isPayment = id.startsWith("0x");
      const found = isPayment
        ? await payments.findExchangeOfPayment(id.toLowerCase() as Hash)
        : await payments.findExchange(id);
      return found ? encodeExchange(found) : null;
    },

    explorer_getPayments: async ({ payments }, query) => {
      const { records, next } = await listPayments(payments, query);
      return { items: records.map(encodePayment), next: next ? paymentCursor.encode(next) : null };
    },

    explorer_getPaymentTotals: async ({ payments }, { by, subject, after, limit }) => {
      const query = { grouping: by, limit, ...(subject != null && { subject }), ...(after && { after }) };
      return readPage(query, payments.listPaymentTotals, encodeTotal, (row) =>
        totalCursor.encode({ asset: row.asset ?? noAsset, subject: row.subject }),
      );
    },

    explorer_getEarnings: async ({ payments }, query) => encodeEarnings(await readEarnings(payments, query)),

    explorer_getPaymentSeries: async ({ payments }, query) =>
      encodePaymentSeries(await readPaymentSeries(payments, query)),
  }),

  ...handlers(["refund"], {
    explorer_refund: async ({ refund }, payment) => (await refund(payment)) ?? null,
  }),
};
