/** Converts ledger records and totals to the wire format of payments. Signed payloads are never included. */
import type { Exchange, Payment, PaymentTotal } from "@/lib/rpc/explorerShapes";
import type { RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import { toShownInfo } from "@/lib/x402/resourceInfo";
import type { PaymentPayload } from "@/lib/x402/types";
import type { Earnings } from "@/server/explorer/paymentEarnings";
import type { PaymentSeries } from "@/server/explorer/paymentSeries";
import type * as port from "@/server/ports/store";

const quantityOrNull = (value: bigint | number | undefined) => (value === undefined ? null : toQuantity(value));

export function encodePayment(record: port.PaymentRecord): Payment {
  const { resource } = JSON.parse(record.payload) as Partial<PaymentPayload>;
  const info = resource ? toShownInfo(resource) : {};
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
    description: info.description ?? null,
    mimeType: info.mimeType ?? null,
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

export function encodeExchange({ id, payment, createdAtMs, flow }: port.ExchangeRecord): Exchange {
  return { id, payment: payment ?? null, createdAt: toQuantity(createdAtMs), flow: JSON.parse(flow) };
}

export function encodeTotal(total: port.PaymentTotal): PaymentTotal {
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

export function encodeEarnings({ items, payers, isCut }: Earnings): RpcResult<"explorer_getEarnings"> {
  return {
    items: items.map((earning) => ({
      ...encodeTotal(earning),
      payers: toQuantity(earning.payers),
      settled: toQuantity(earning.settled),
      failed: toQuantity(earning.failed),
      lastAt: earning.lastAtMs === 0 ? null : toQuantity(earning.lastAtMs),
    })),
    payers: toQuantity(payers),
    cut: isCut,
  };
}

export function encodePaymentSeries({
  asset,
  spans,
  batches,
  isCut,
}: PaymentSeries): RpcResult<"explorer_getPaymentSeries"> {
  return {
    asset: asset ?? null,
    spans: spans.map(({ fromMs, toMs, payments, units }) => ({
      from: toQuantity(fromMs),
      to: toQuantity(toMs),
      payments: toQuantity(payments),
      settledAmount: toQuantity(units),
    })),
    batches: batches.map(({ size, transactions }) => ({
      size: toQuantity(size),
      transactions: toQuantity(transactions),
    })),
    cut: isCut,
  };
}
