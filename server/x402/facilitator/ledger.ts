/**
 * The ledger of payments: which state each is in and how it moves on. A change lands only on the record it was made
 * from, whoever else writes (other requests, other instances); a settled payment changes no more but by its refund.
 */
import { toPaymentId } from "@/lib/x402/paymentId";
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/ports/store";
import { createLedgerWriter } from "@/server/x402/facilitator/ledgerWriter";
import { PaymentError } from "@/server/x402/reads/error";
import type { Payment } from "@/server/x402/schemes/scheme";

/** What a transaction took, or a payment's share of it. */
export type GasShare = { used: bigint; costWei: bigint };

type PaymentChange = Pick<PaymentRecord, "state"> &
  Partial<Pick<PaymentRecord, "reason" | "transaction" | "batch" | "settledUnits">> & {
    /** Added to what was spent on the payment before. */
    gas?: GasShare | undefined;
  };

/** A payment that goes into a transaction, and the transaction that it went into before, in vain. */
export type Beginning = {
  id: Hex;
  payment: Payment;
  batch: PaymentRecord["batch"];
  replaces: Hex | undefined;
};

/** A signed transaction of settlements; an allotment says whose its nonce is, where several instances send. */
export type SignedSettlement = NonNullable<Parameters<PaymentStore["changePayments"]>[1]>;

export type Ledger = {
  find(id: Hex): Promise<PaymentRecord | undefined>;
  findByTransaction(transaction: Hex): Promise<PaymentRecord[]>;
  /** Signed bytes of a settlement. */
  findSettlement(transaction: Hex): Promise<Hex | undefined>;
  /** Throws PaymentError where the payment's identifier names another payment. */
  assertIdentifier(id: Hex, payment: Payment): Promise<void>;
  /** Notes that a payment was received or verified, unless the ledger knows more about it already. */
  record(id: Hex, payment: Payment, state: "received" | "verified"): Promise<void>;
  /** Moves the payment on, inserting it where it is new. A settled one stays as it is, and false says so. */
  change(id: Hex, payment: Payment, change: PaymentChange): Promise<boolean>;
  /**
   * Notes that payments go into a signed transaction, all or none. Answers the ids of those that must not, because
   * they are settled or on their way in another transaction; where there are some, nothing is noted.
   */
  begin(beginnings: readonly Beginning[], settlement: SignedSettlement): Promise<Hex[]>;
  /** Adds to what was spent on a payment that is in no transaction yet. */
  recordSpent(id: Hex, gas: GasShare): Promise<void>;
  /** Notes on a payment that a settled refund gave it back. */
  recordRefund(refund: PaymentRecord, original: Hex): Promise<void>;
  /** Of this network. */
  listInState(state: PaymentRecord["state"]): Promise<PaymentRecord[]>;
};

/** A payment that fails and is tried again for ever keeps its first and its latest steps. */
const maxSteps = 32;

// Kept in lib, because a page names its payment before any ledger knows it.
export { toPaymentId };

/** Whether the payment is over and the payee has its money, or had it and gave it back. */
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

/** Whether a payment is settled, or on its way in another transaction than the one that is known to be dead. */
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
    // A transaction stays with its payment, and with it the place that the payment had in it.
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

/** The record as it is after moving to the state: everything else stays. */
export function toMoved(known: PaymentRecord, state: PaymentRecord["state"], atMs: number): PaymentRecord {
  const steps = addStep(known.steps, state, atMs);
  return { ...known, state, revision: known.revision + 1, changedAtMs: atMs, steps };
}

/** Every payment was received before anything else became of it. */
function addStep(steps: PaymentRecord["steps"], state: PaymentRecord["state"], atMs: number): PaymentRecord["steps"] {
  const first: PaymentRecord["steps"] = steps.length === 0 && state !== "received" ? [{ state: "received", atMs }] : [];
  const all = [...steps, ...first, { state, atMs }];
  return all.length <= maxSteps ? all : [...all.slice(0, 2), ...all.slice(all.length - maxSteps + 2)];
}

/** The signed part of a payload; hexadecimal digits may differ in case. */
export function toFingerprint({ payload }: { payload: unknown }): string {
  return JSON.stringify(payload).toLowerCase();
}
