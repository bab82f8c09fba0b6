/**
 * Updates the ledger after a developer rewinds a chain. If the rewind removed a payment's transaction from its block or
 * from the pool, the payment is no longer settled or settling; if it removed a refund's transaction, the refund is
 * undone. Such payments and refunds can be sent again.
 */
import type { Reason } from "@/lib/x402/reason";
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/ports/store";
import { toMoved } from "@/server/x402/facilitator/ledger";
import { writeAlone } from "@/server/x402/facilitator/ledgerWriter";

const reason: Reason = "chain_rewound";

/** Undoes the settlements that the given transactions made. */
export async function forgetSettlements(
  store: PaymentStore,
  transactions: readonly Hex[],
  nowMs: () => number = Date.now,
): Promise<void> {
  const gone = new Set(transactions);
  for (const transaction of transactions) {
    for (const { id } of await store.findPaymentByTransaction(transaction)) {
      await writeAlone(store, () => toForgotten(store, id, gone, nowMs()));
    }
  }
}

async function toForgotten(
  store: PaymentStore,
  id: Hex,
  gone: ReadonlySet<Hex>,
  atMs: number,
): Promise<PaymentRecord[] | undefined> {
  const known = await store.findPayment(id);
  if (!known?.transaction || !gone.has(known.transaction)) return undefined;
  const original = known.refundOf && (await store.findPayment(known.refundOf));
  const isGivenBackByIt = original && original.refundTransaction === known.transaction && !isGone(original, gone);
  return [toUnsettled(known, atMs), ...(isGivenBackByIt ? [toUnrefunded(original, atMs)] : [])];
}

const isGone = ({ transaction }: PaymentRecord, gone: ReadonlySet<Hex>) =>
  transaction !== undefined && gone.has(transaction);

function toUnsettled(known: PaymentRecord, atMs: number): PaymentRecord {
  const {
    settledUnits: _,
    refundedUnits: __,
    refundTransaction: ___,
    collectedBy: ____,
    ...rest
  } = toMoved(known, "failed", atMs);
  return { ...rest, reason };
}

function toUnrefunded(known: PaymentRecord, atMs: number): PaymentRecord {
  const { refundedUnits: _, refundTransaction: __, ...rest } = toMoved(known, "settled", atMs);
  return rest;
}
