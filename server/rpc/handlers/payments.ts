/**
 * explorer_ methods about payments, read from the ledger that the facilitator keeps.
 * What a payer signed is never part of an answer.
 */
import { paymentCursor } from "@/lib/rpc/cursor";
import type { Payment } from "@/lib/rpc/explorerShapes";
import type { Handler } from "@/server/rpc/context";
import { toQuantity } from "@/server/rpc/encode";
import type { PaymentRecord } from "@/server/storage/port";

function encodePayment(record: PaymentRecord): Payment {
  return {
    id: record.id,
    network: record.network,
    scheme: record.scheme,
    asset: record.asset,
    payer: record.payer,
    payee: record.payee,
    amount: toQuantity(record.amountUnits),
    settledAmount: record.settledUnits === undefined ? null : toQuantity(record.settledUnits),
    nonce: record.nonce,
    resource: record.resource ?? null,
    state: record.state,
    reason: record.reason ?? null,
    transaction: record.transaction ?? null,
    createdAt: toQuantity(record.createdAtMs),
    changedAt: toQuantity(record.changedAtMs),
  };
}

export const explorer_getPayment: Handler<"explorer_getPayment"> = async ({ chain }, transaction) =>
  (await chain.store.findPaymentByTransaction(transaction)).map(encodePayment);

export const explorer_getPayments: Handler<"explorer_getPayments"> = async ({ chain }, { limit, ...page }) => {
  const rows = await chain.store.listPayments({ ...page, limit: limit + 1 });
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(encodePayment),
    next: rows.length > limit && last ? paymentCursor.encode(last) : null,
  };
};
