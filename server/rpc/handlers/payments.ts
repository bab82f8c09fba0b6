/**
 * explorer_ methods about payments, read from the ledger that the facilitator keeps.
 * What a payer signed is never part of an answer.
 */
import { paymentCursor, totalCursor } from "@/lib/rpc/cursor";
import type { Payment, PaymentTotal } from "@/lib/rpc/explorerShapes";
import type { Handler } from "@/server/rpc/context";
import { toQuantity } from "@/server/rpc/encode";
import type * as port from "@/server/storage/port";

const noAsset = "0x0000000000000000000000000000000000000000";
/** Rows that one request looks at where a second filter refuses most of what the first one's index gives. */
const maxRows = 2_000;
const pageRows = 200;

const quantityOrNull = (value: bigint | number | undefined) => (value === undefined ? null : toQuantity(value));

function encodePayment(record: port.PaymentRecord): Payment {
  return {
    id: record.id,
    network: record.network,
    scheme: record.scheme,
    asset: record.asset,
    payer: record.payer,
    payee: record.payee,
    amount: toQuantity(record.amountUnits),
    settledAmount: quantityOrNull(record.settledUnits),
    nonce: record.nonce,
    resource: record.resource ?? null,
    state: record.state,
    reason: record.reason ?? null,
    transaction: record.transaction ?? null,
    batchSize: record.transaction ? toQuantity(record.batch?.size ?? 1) : null,
    gasUsed: quantityOrNull(record.gasUsed),
    gasCost: quantityOrNull(record.gasCostWei),
    refundOf: record.refundOf ?? null,
    refundedAmount: quantityOrNull(record.refundedUnits),
    refundTransaction: record.refundTransaction ?? null,
    steps: record.steps.map(({ state, atMs }) => ({ state, at: toQuantity(atMs) })),
    createdAt: toQuantity(record.createdAtMs),
    changedAt: toQuantity(record.changedAtMs),
  };
}

function encodeTotal(total: port.PaymentTotal): PaymentTotal {
  return {
    subject: total.subject,
    asset: total.asset ?? null,
    payments: toQuantity(total.payments),
    settledAmount: toQuantity(total.settledUnits),
    refunds: toQuantity(total.refunds),
    refundedAmount: toQuantity(total.refundedUnits),
    gasCost: toQuantity(total.gasCostWei),
  };
}

export const explorer_getPayment: Handler<"explorer_getPayment"> = async ({ chain: { store } }, hash) => {
  const payment = await store.findPayment(hash);
  return (payment ? [payment] : await store.findPaymentByTransaction(hash)).map(encodePayment);
};

export const explorer_getPayments: Handler<"explorer_getPayments"> = async (
  { chain: { store } },
  { limit, before, ...wanted },
) => {
  // The rarest first: a payer has fewer payments than a resource, a resource fewer than its payee.
  const filters = [
    wanted.payer && { payer: wanted.payer },
    wanted.resource && { resource: wanted.resource },
    wanted.payee && { payee: wanted.payee },
    wanted.state && { state: wanted.state },
  ].filter((filter) => filter !== undefined && filter !== null && filter !== "") as port.PaymentFilter[];
  const [filter, ...others] = filters;
  const accepts = (record: port.PaymentRecord) =>
    others.every((other) => Object.entries(other).every(([name, value]) => record[name as "payer"] === value));
  const found: port.PaymentRecord[] = [];
  const length = others.length > 0 ? pageRows : limit + 1;
  let after: port.PaymentCursor | undefined = before ?? undefined;
  for (let rows = 0; rows < maxRows; rows += length) {
    const page: port.PaymentRecord[] = await store.listPayments({
      limit: length,
      ...(after && { before: after }),
      ...(filter && { filter }),
    });
    found.push(...page.filter(accepts));
    const last = found[limit - 1];
    if (found.length > limit && last) {
      return { items: found.slice(0, limit).map(encodePayment), next: paymentCursor.encode(last) };
    }
    after = page.at(-1);
    if (page.length < length || !after) return { items: found.map(encodePayment), next: null };
  }
  return { items: found.map(encodePayment), next: after ? paymentCursor.encode(after) : null };
};

export const explorer_getPaymentTotals: Handler<"explorer_getPaymentTotals"> = async (
  { chain: { store } },
  { by, subject, after, limit },
) => {
  const rows = await store.listPaymentTotals({
    grouping: by,
    limit: limit + 1,
    ...(subject != null && { subject }),
    ...(after && { after }),
  });
  const last = rows[limit - 1];
  const next = rows.length > limit && last ? { asset: last.asset ?? noAsset, subject: last.subject } : undefined;
  return { items: rows.slice(0, limit).map(encodeTotal), next: next ? totalCursor.encode(next) : null };
};
