/** explorer_ methods for payments, read from the facilitator's ledger. */
import { paymentCursor, totalCursor } from "@/lib/rpc/cursor";
import { findPayments, listPayments, readPaymentSeries } from "@/server/explorer/payments";
import { toPage } from "@/server/rpc/encodeExplorer";
import { encodePayment, encodePaymentSeries, encodeTotal } from "@/server/rpc/encodePayments";
import { handler } from "@/server/rpc/ports";

const noAsset = "0x0000000000000000000000000000000000000000";

export const explorer_getPayment = handler("explorer_getPayment", ["payments"], async ({ payments }, hash) =>
  (await findPayments(payments, hash)).map(encodePayment),
);

export const explorer_getPayments = handler("explorer_getPayments", ["payments"], async ({ payments }, query) => {
  const { records, next } = await listPayments(payments, query);
  return { items: records.map(encodePayment), next: next ? paymentCursor.encode(next) : null };
});

export const explorer_getPaymentTotals = handler(
  "explorer_getPaymentTotals",
  ["payments"],
  async ({ payments }, { by, subject, after, limit }) => {
    const given = { ...(subject != null && { subject }), ...(after && { after }) };
    const rows = await payments.listPaymentTotals({ grouping: by, limit: limit + 1, ...given });
    const toCursor = (row: (typeof rows)[number]) =>
      totalCursor.encode({ asset: row.asset ?? noAsset, subject: row.subject });
    return toPage(rows, limit, encodeTotal, toCursor);
  },
);

export const explorer_getPaymentSeries = handler(
  "explorer_getPaymentSeries",
  ["payments"],
  async ({ payments }, query) => encodePaymentSeries(await readPaymentSeries(payments, query)),
);
