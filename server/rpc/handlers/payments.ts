/** explorer_ methods for payments, read from the facilitator's ledger. */
import { paymentCursor, totalCursor } from "@/lib/rpc/cursor";
import { findPayments, listPayments, readPaymentSeries } from "@/server/explorer/payments";
import { toPage } from "@/server/rpc/encodeExplorer";
import { encodePayment, encodePaymentSeries, encodeTotal } from "@/server/rpc/encodePayments";
import { handlers } from "@/server/rpc/ports";

const noAsset = "0x0000000000000000000000000000000000000000";

export const paymentsHandlers = handlers(["payments"], {
  explorer_getPayment: async ({ payments }, hash) => (await findPayments(payments, hash)).map(encodePayment),

  explorer_getPayments: async ({ payments }, query) => {
    const { records, next } = await listPayments(payments, query);
    return { items: records.map(encodePayment), next: next ? paymentCursor.encode(next) : null };
  },

  explorer_getPaymentTotals: async ({ payments }, { by, subject, after, limit }) => {
    const given = { ...(subject != null && { subject }), ...(after && { after }) };
    const rows = await payments.listPaymentTotals({ grouping: by, limit: limit + 1, ...given });
    const toCursor = (row: (typeof rows)[number]) =>
      totalCursor.encode({ asset: row.asset ?? noAsset, subject: row.subject });
    return toPage(rows, limit, encodeTotal, toCursor);
  },

  explorer_getPaymentSeries: async ({ payments }, query) =>
    encodePaymentSeries(await readPaymentSeries(payments, query)),
});
