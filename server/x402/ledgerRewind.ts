/**
 * What becomes of the ledger when a developer takes a chain back: a payment whose transaction is in no block any more is
 * not settled, and one that was only given back there has not been given back. Both may be made again.
 */
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/storage/port";

const reason = "chain_rewound";
/** The records change only under the eyes of the facilitator, which is as quick as this. */
const maxTries = 32;

/** Puts right what the given transactions had settled. */
export async function forgetSettlements(
  store: PaymentStore,
  transactions: readonly Hex[],
  nowMs: () => number = Date.now,
): Promise<void> {
  const gone = new Set(transactions);
  for (const transaction of transactions) {
    for (const { id } of await store.findPaymentByTransaction(transaction)) await forget(store, id, gone, nowMs);
  }
}

async function forget(store: PaymentStore, id: Hex, gone: ReadonlySet<Hex>, nowMs: () => number): Promise<void> {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const known = await store.findPayment(id);
    if (!known?.transaction || !gone.has(known.transaction)) return;
    const changes = [toUnsettled(known, nowMs())];
    const original = known.refundOf && (await store.findPayment(known.refundOf));
    if (original && original.refundTransaction === known.transaction && !isGone(original, gone)) {
      changes.push(toUnrefunded(original, nowMs()));
    }
    if (await store.changePayments(changes)) return;
  }
  throw new Error("The ledger's record changed each time it was read.");
}

const isGone = ({ transaction }: PaymentRecord, gone: ReadonlySet<Hex>) =>
  transaction !== undefined && gone.has(transaction);

function toUnsettled(known: PaymentRecord, atMs: number): PaymentRecord {
  const { settledUnits: _, refundedUnits: __, refundTransaction: ___, ...rest } = known;
  return { ...rest, ...toChange(known, "failed", atMs), reason };
}

function toUnrefunded(known: PaymentRecord, atMs: number): PaymentRecord {
  const { refundedUnits: _, refundTransaction: __, ...rest } = known;
  return { ...rest, ...toChange(known, "settled", atMs) };
}

function toChange({ revision, steps }: PaymentRecord, state: PaymentRecord["state"], atMs: number) {
  return { state, revision: revision + 1, changedAtMs: atMs, steps: [...steps, { state, atMs }] };
}
