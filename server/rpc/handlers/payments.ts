/**
 * explorer_ methods about payments, read from the ledger that the facilitator keeps.
 * What a payer signed is never part of an answer.
 */
import { paymentCursor, totalCursor } from "@/lib/rpc/cursor";
import type { Payment, PaymentSeries, PaymentTotal } from "@/lib/rpc/explorerShapes";
import { toQuantity } from "@/lib/units";
import type { Address } from "@/server/ethereum/types";
import type * as port from "@/server/ports/store";
import type { Handler } from "@/server/rpc/context";

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

const usualSpans = 24;

export const explorer_getPaymentSeries: Handler<"explorer_getPaymentSeries"> = async (
  { chain: { store } },
  { resource, payee, spans },
) => {
  const { records, cut } = await listSettled(store, resource ?? undefined, payee ?? undefined);
  const asset = records[0]?.asset;
  const sums = records.filter((record) => record.asset === asset);
  return { asset: asset ?? null, spans: toSpans(sums, spans ?? usualSpans), batches: toBatches(records), cut };
};

/** Newest first, by the index of the one filter there is: a resource's payee is one, so both together are the resource's. */
async function listSettled(
  store: port.PaymentStore,
  resource: string | undefined,
  payee: Address | undefined,
): Promise<{ records: port.PaymentRecord[]; cut: boolean }> {
  const filter: port.PaymentFilter = resource ? { resource } : payee ? { payee } : { state: "settled" };
  const found: port.PaymentRecord[] = [];
  let before: port.PaymentCursor | undefined;
  for (let rows = 0; rows < maxRows; rows += pageRows) {
    const page = await store.listPayments({ limit: pageRows, filter, ...(before && { before }) });
    found.push(
      ...page.filter(
        (record) =>
          (record.state === "settled" || record.state === "refunded") &&
          !record.refundOf &&
          (!payee || record.payee === payee),
      ),
    );
    before = page.at(-1);
    if (page.length < pageRows) return { records: found, cut: false };
  }
  return { records: found, cut: true };
}

/** From the oldest payment to the newest in equal parts; one moment alone is one span. */
function toSpans(records: readonly port.PaymentRecord[], count: number): PaymentSeries["spans"] {
  const newest = records[0]?.createdAtMs;
  const oldest = records.at(-1)?.createdAtMs;
  if (newest === undefined || oldest === undefined) return [];
  const width = Math.max(1, Math.ceil((newest - oldest + 1) / count));
  const length = Math.floor((newest - oldest) / width) + 1;
  const spans = Array.from({ length }, () => ({ payments: 0, units: 0n }));
  for (const { createdAtMs, settledUnits, amountUnits } of records) {
    const span = spans[Math.floor((createdAtMs - oldest) / width)];
    if (!span) continue;
    span.payments += 1;
    span.units += settledUnits ?? amountUnits;
  }
  return spans.map(({ payments, units }, index) => ({
    from: toQuantity(oldest + index * width),
    to: toQuantity(oldest + (index + 1) * width),
    payments: toQuantity(payments),
    settledAmount: toQuantity(units),
  }));
}

/** A transaction counts once, by the size that its payments say. */
function toBatches(records: readonly port.PaymentRecord[]): PaymentSeries["batches"] {
  const sizes = new Map<string, number>();
  for (const { transaction, batch } of records) if (transaction) sizes.set(transaction, batch?.size ?? 1);
  const counts = new Map<number, number>();
  for (const size of sizes.values()) counts.set(size, (counts.get(size) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([size, transactions]) => ({ size: toQuantity(size), transactions: toQuantity(transactions) }));
}
