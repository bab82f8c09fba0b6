/**
 * The payment ledger: each payment's state and its transitions. A change is written only if nobody else changed the
 * record since it was read. A settled payment never changes again, except for its refund.
 */
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/ports/store";
import {
  createLedgerWriter,
  type LedgerWriter,
  type SignedSettlement,
  writeAlone,
  writeTogether,
} from "@/server/x402/facilitator/ledgerWriter";
import { type FacilitatorPayment, isDone, isRewound, toFingerprint } from "@/server/x402/facilitator/payment";
import { PaymentError } from "@/server/x402/reads/error";

/** The gas that a transaction used, or a payment's share of that gas. */
export type GasShare = { used: bigint; costWei: bigint };

type PaymentChange = Pick<PaymentRecord, "state"> &
  Partial<Pick<PaymentRecord, "reason" | "transaction" | "batch" | "settledUnits">> & {
    /** Gas to add to what has already been spent on the payment. */
    gas?: GasShare | undefined;
  };

/** A payment to include in a transaction. `replaces` is the earlier transaction that failed to settle it. */
export type BatchMember = {
  payment: FacilitatorPayment;
  batch: PaymentRecord["batch"];
  replaces: Hex | undefined;
};

export type Ledger = {
  /** CAIP-2 */
  network: string;
  store: PaymentStore;
  writer: LedgerWriter;
  nowMs: () => number;
};

/**
 * Maximum number of steps kept per payment, because a payment can fail and be retried many times. The first two steps
 * and the most recent ones are kept.
 */
const maxSteps = 32;

export function createLedger(network: string, store: PaymentStore, nowMs: () => number): Ledger {
  return { network, store, nowMs, writer: createLedgerWriter(store) };
}

/** Throws PaymentError if the client's identifier for this payment is already used for another payment. */
export async function assertIdentifier(store: PaymentStore, { id, identifier, payload }: FacilitatorPayment) {
  const named = identifier === undefined ? undefined : await store.findPaymentByIdentifier(identifier);
  if (named && (named.id !== id || toFingerprint(JSON.parse(named.payload)) !== toFingerprint(payload))) {
    throw new PaymentError("payment_identifier_conflict");
  }
}

/** Records that a payment was received or verified, unless the ledger already has a later state. */
export async function recordPayment(
  { store, writer, nowMs }: Ledger,
  payment: FacilitatorPayment,
  state: "received" | "verified",
): Promise<void> {
  const mayChange = (known: PaymentRecord) =>
    known.state === "failed" || known.state === "expired" || (known.state === "received" && state === "verified");
  await writeTogether(writer, async () => {
    const known = await store.findPayment(payment.id);
    if (known && !mayChange(known)) return undefined;
    await assertIdentifier(store, payment);
    return [toRecord(payment, known, { state }, nowMs())];
  });
}

/**
 * Moves the payment to another state, and inserts it if it is new. If it is already settled, changes nothing and
 * returns false. Throws PaymentError if a chain rewind undid the payment.
 */
export function changePayment(ledger: Ledger, payment: FacilitatorPayment, change: PaymentChange): Promise<boolean> {
  const { store, writer, nowMs } = ledger;
  return writeTogether(writer, async () => {
    const known = await store.findPayment(payment.id);
    if (known && isDone(known)) return undefined;
    if (known && isRewound(known)) throw new PaymentError("chain_rewound");
    if (!known) await assertIdentifier(store, payment);
    const record = toRecord(payment, known, change, nowMs());
    const original = record.refundOf && record.state === "settled" ? await toRefunded(ledger, record) : undefined;
    return original ? [record, original] : [record];
  });
}

/**
 * Records that a signed transaction includes these payments. If any of them is already settled or is in flight in
 * another transaction, nothing is recorded, and the IDs of those payments are returned.
 */
export async function recordTransaction(
  { store, nowMs }: Ledger,
  members: readonly BatchMember[],
  settlement: SignedSettlement,
): Promise<Hex[]> {
  let taken: Hex[] = [];
  const toRecords = async () => {
    const known = await Promise.all(members.map(({ payment }) => store.findPayment(payment.id)));
    taken = members.filter(({ replaces }, at) => isTaken(known[at], replaces)).map(({ payment }) => payment.id);
    if (taken.length > 0) return undefined;
    return members.map(({ payment, batch }, at) => {
      const { transaction } = settlement;
      const settledUnits = payment.terms.chargeUnits;
      const change = { state: "settling", transaction, settledUnits, ...(batch && { batch }) } as const;
      return toRecord(payment, known[at], change, nowMs());
    });
  };
  await writeAlone(store, toRecords, settlement);
  return taken;
}

/** Adds to the gas spent on a payment whose settlement hasn't been sent yet. */
export async function recordGas({ store, writer, nowMs }: Ledger, id: Hex, gas: GasShare): Promise<void> {
  await writeTogether(writer, async () => {
    const known = await store.findPayment(id);
    if (known?.state !== "received") return undefined;
    return [withGas({ ...known, revision: known.revision + 1, changedAtMs: nowMs() }, gas)];
  });
}

/** Marks the original payment as refunded. `refund` is the settled payment that refunds it. */
export async function recordRefund(ledger: Ledger, refund: PaymentRecord, refundOf: Hex): Promise<void> {
  await writeTogether(ledger.writer, async () => {
    const original = await toRefunded(ledger, { ...refund, refundOf });
    return original && [original];
  });
}

/** Lists this network's payments that are in the given state. */
export async function listInState({ network, store }: Ledger, state: PaymentRecord["state"]): Promise<PaymentRecord[]> {
  return (await store.listPaymentsInState(state)).filter((record) => record.network === network);
}

async function toRefunded({ store, nowMs }: Ledger, refund: PaymentRecord): Promise<PaymentRecord | undefined> {
  const known = refund.refundOf ? await store.findPayment(refund.refundOf) : undefined;
  if (known?.state !== "settled") return undefined;
  return {
    ...toMoved(known, "refunded", nowMs()),
    refundedUnits: refund.settledUnits ?? refund.amountUnits,
    ...(refund.transaction && { refundTransaction: refund.transaction }),
  };
}

/** Whether a payment is settled, or in flight in a transaction other than the one being replaced. */
function isTaken(known: PaymentRecord | undefined, replaces: Hex | undefined): boolean {
  if (!known) return false;
  return isDone(known) || (known.state === "settling" && known.transaction !== replaces);
}

function toRecord(
  { id, terms, payload, refundOf, identifier, findCollector }: FacilitatorPayment,
  known: PaymentRecord | undefined,
  { gas, ...change }: PaymentChange,
  nowMs: number,
): PaymentRecord {
  const { chargeUnits: _, ...kept } = terms;
  const { reason: _reason, batch: _batch, ...before } = known ?? {};
  const resource = payload.resource?.url ?? known?.resource;
  const isSameTransaction = change.transaction === undefined || change.transaction === known?.transaction;
  const collectedBy = change.state === "settled" ? findCollector?.() : undefined;
  const record: PaymentRecord = {
    ...before,
    id,
    ...kept,
    ...(resource !== undefined && { resource }),
    ...(refundOf && { refundOf }),
    ...(identifier !== undefined && { identifier }),
    ...(collectedBy !== undefined && { collectedBy }),
    // If the transaction stays the same, so does the payment's position in the batch.
    ...(isSameTransaction && known?.batch && { batch: known.batch }),
    payload: JSON.stringify(payload),
    createdAtMs: known?.createdAtMs ?? nowMs,
    ...change,
    revision: known ? known.revision + 1 : 0,
    changedAtMs: nowMs,
    steps: addStep(known?.steps ?? [], change.state, nowMs),
  };
  return gas ? withGas(record, gas) : record;
}

function withGas(record: PaymentRecord, { used, costWei }: GasShare): PaymentRecord {
  return { ...record, gasUsed: (record.gasUsed ?? 0n) + used, gasCostWei: (record.gasCostWei ?? 0n) + costWei };
}

/** Returns a copy of the record with the given state. */
export function toMoved(known: PaymentRecord, state: PaymentRecord["state"], atMs: number): PaymentRecord {
  const steps = addStep(known.steps, state, atMs);
  return { ...known, state, revision: known.revision + 1, changedAtMs: atMs, steps };
}

/** Adds a step. If it is the first one, a `received` step is added before it. */
function addStep(steps: PaymentRecord["steps"], state: PaymentRecord["state"], atMs: number): PaymentRecord["steps"] {
  const first: PaymentRecord["steps"] = steps.length === 0 && state !== "received" ? [{ state: "received", atMs }] : [];
  const all = [...steps, ...first, { state, atMs }];
  return all.length <= maxSteps ? all : [...all.slice(0, 2), ...all.slice(all.length - maxSteps + 2)];
}
