/**
 * The ledger of payments: the state of each payment and its transitions. A change applies only to the record it was
 * made from, even if other requests or instances write at the same time. A settled payment never changes again, except
 * for its refund.
 */
import { toPaymentId } from "@/lib/x402/paymentId";
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/ports/store";
import { createLedgerWriter } from "@/server/x402/facilitator/ledgerWriter";
import { PaymentError } from "@/server/x402/reads/error";
import type { Payment } from "@/server/x402/schemes/scheme";

/** Gas used by a transaction, or a payment's share of it. */
export type GasShare = { used: bigint; costWei: bigint };

type PaymentChange = Pick<PaymentRecord, "state"> &
  Partial<Pick<PaymentRecord, "reason" | "transaction" | "batch" | "settledUnits">> & {
    /** Added to the gas already spent on the payment. */
    gas?: GasShare | undefined;
  };

/** A payment to put into a transaction, and the earlier transaction that failed to settle it. */
export type Beginning = {
  id: Hex;
  payment: Payment;
  batch: PaymentRecord["batch"];
  replaces: Hex | undefined;
};

/** A signed transaction of settlements; its allotment names the owner of the nonce if several instances send. */
export type SignedSettlement = NonNullable<Parameters<PaymentStore["changePayments"]>[1]>;

export type Ledger = {
  find(id: Hex): Promise<PaymentRecord | undefined>;
  findByTransaction(transaction: Hex): Promise<PaymentRecord[]>;
  /** Signed bytes of a settlement. */
  findSettlement(transaction: Hex): Promise<Hex | undefined>;
  /** Throws PaymentError if the payment's identifier belongs to another payment. */
  assertIdentifier(id: Hex, payment: Payment): Promise<void>;
  /** Records that a payment was received or verified, unless the ledger already has a later state. */
  record(id: Hex, payment: Payment, state: "received" | "verified"): Promise<void>;
  /**
   * Moves the payment to another state, inserting it if it is new. Returns false and changes nothing if it is settled.
   */
  change(id: Hex, payment: Payment, change: PaymentChange): Promise<boolean>;
  /**
   * Records that payments go into a signed transaction, all or none. Returns the ids of payments that are already
   * settled or in flight in another transaction; if there are any, nothing is recorded.
   */
  begin(beginnings: readonly Beginning[], settlement: SignedSettlement): Promise<Hex[]>;
  /** Adds to the gas spent on a payment that is not in a transaction yet. */
  recordSpent(id: Hex, gas: GasShare): Promise<void>;
  /** Records on a payment that a settled refund returned it. */
  recordRefund(refund: PaymentRecord, original: Hex): Promise<void>;
  /** Lists this network's payments in a state. */
  listInState(state: PaymentRecord["state"]): Promise<PaymentRecord[]>;
};

/** Maximum number of steps kept for a payment that keeps failing and being retried: the first and the latest. */
const maxSteps = 32;

// Kept in lib because pages compute a payment's id before any ledger knows the payment.
export { toPaymentId };

/** Whether the payment is final: the payee was paid, or was paid and refunded it. */
export function isDone({ state }: PaymentRecord): boolean {
  return state === "settled" || state === "refunded";
}

/** Builds the ledger of one network over a store. */
export function createLedger(network: string, store: PaymentStore, nowMs: () => number): Ledger {
  const { write, writeAlone } = createLedgerWriter(store);

  async function findIdentified(id: Hex, { identifier, payload }: Payment): Promise<PaymentRecord | undefined> {
    const named = identifier === undefined ? undefined : await store.findPaymentByIdentifier(identifier);
    if (named && (named.id !== id || toFingerprint(JSON.parse(named.payload)) !== toFingerprint(payload))) {
      throw new PaymentError("payment_identifier_conflict");
    }
    return named;
  }

  const advance = (id: Hex, payment: Payment, known: PaymentRecord | undefined, change: PaymentChange) =>
    toRecord(id, payment, known, change, nowMs());

  async function toRefunded(refund: PaymentRecord, original: Hex): Promise<PaymentRecord | undefined> {
    const known = await store.findPayment(original);
    if (known?.state !== "settled") return undefined;
    return {
      ...toMoved(known, "refunded", nowMs()),
      refundedUnits: refund.settledUnits ?? refund.amountUnits,
      ...(refund.transaction && { refundTransaction: refund.transaction }),
    };
  }

  return {
    async find(id) {
      return store.findPayment(id);
    },
    async findByTransaction(transaction) {
      return store.findPaymentByTransaction(transaction);
    },
    async findSettlement(transaction) {
      return store.findSettlement(transaction);
    },
    async assertIdentifier(id, payment) {
      await findIdentified(id, payment);
    },
    async record(id, payment, state) {
      const mayChange = (known: PaymentRecord) =>
        known.state === "failed" || known.state === "expired" || (known.state === "received" && state === "verified");
      await write(async () => {
        const known = await store.findPayment(id);
        if (known && !mayChange(known)) return undefined;
        await findIdentified(id, payment);
        return [advance(id, payment, known, { state })];
      });
    },
    change(id, payment, change) {
      return write(async () => {
        const known = await store.findPayment(id);
        if (known && isDone(known)) return undefined;
        if (!known) await findIdentified(id, payment);
        const record = advance(id, payment, known, change);
        const { refundOf } = record;
        const original = refundOf && record.state === "settled" ? await toRefunded(record, refundOf) : undefined;
        return original ? [record, original] : [record];
      });
    },
    async begin(beginnings, settlement) {
      let lost: Hex[] = [];
      await writeAlone(async () => {
        const known = await Promise.all(beginnings.map(({ id }) => store.findPayment(id)));
        lost = beginnings.filter(({ replaces }, at) => isTaken(known[at], replaces)).map(({ id }) => id);
        if (lost.length > 0) return undefined;
        return beginnings.map(({ id, payment, batch }, at) =>
          advance(id, payment, known[at], {
            state: "settling",
            transaction: settlement.transaction,
            settledUnits: payment.terms.chargeUnits,
            ...(batch && { batch }),
          }),
        );
      }, settlement);
      return lost;
    },
    async recordSpent(id, gas) {
      await write(async () => {
        const known = await store.findPayment(id);
        if (known?.state !== "received") return undefined;
        return [withGas({ ...known, revision: known.revision + 1, changedAtMs: nowMs() }, gas)];
      });
    },
    async recordRefund(refund, original) {
      await write(async () => {
        const record = await toRefunded(refund, original);
        return record && [record];
      });
    },
    async listInState(state) {
      return (await store.listPaymentsInState(state)).filter((record) => record.network === network);
    },
  };
}

/** Whether a payment is settled, or in flight in a transaction other than the one known to be dead. */
function isTaken(known: PaymentRecord | undefined, replaces: Hex | undefined): boolean {
  if (!known) return false;
  return isDone(known) || (known.state === "settling" && known.transaction !== replaces);
}

function toRecord(
  id: Hex,
  { terms, payload, refundOf, identifier }: Payment,
  known: PaymentRecord | undefined,
  { gas, ...change }: PaymentChange,
  nowMs: number,
): PaymentRecord {
  const { chargeUnits: _, ...kept } = terms;
  const { reason: _reason, batch: _batch, ...before } = known ?? {};
  const resource = payload.resource?.url ?? known?.resource;
  const isSameTransaction = change.transaction === undefined || change.transaction === known?.transaction;
  const record: PaymentRecord = {
    ...before,
    id,
    ...kept,
    ...(resource !== undefined && { resource }),
    ...(refundOf && { refundOf }),
    ...(identifier !== undefined && { identifier }),
    // The payment keeps its transaction and its position in that batch.
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

/** The record moved to the state, with everything else unchanged. */
export function toMoved(known: PaymentRecord, state: PaymentRecord["state"], atMs: number): PaymentRecord {
  const steps = addStep(known.steps, state, atMs);
  return { ...known, state, revision: known.revision + 1, changedAtMs: atMs, steps };
}

/** Adds a step; "received" always comes first. */
function addStep(steps: PaymentRecord["steps"], state: PaymentRecord["state"], atMs: number): PaymentRecord["steps"] {
  const first: PaymentRecord["steps"] = steps.length === 0 && state !== "received" ? [{ state: "received", atMs }] : [];
  const all = [...steps, ...first, { state, atMs }];
  return all.length <= maxSteps ? all : [...all.slice(0, 2), ...all.slice(all.length - maxSteps + 2)];
}

/** The signed part of a payload, lowercased because hex digits may differ in case. */
export function toFingerprint({ payload }: { payload: unknown }): string {
  return JSON.stringify(payload).toLowerCase();
}
