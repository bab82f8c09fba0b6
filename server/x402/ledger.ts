/**
 * The ledger of payments: which state each is in and how it moves on. Changes of one payment happen one after another,
 * so that none is lost; a settled payment never changes again.
 */
import { encodeAbiParameters, keccak256 } from "viem";
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/storage/port";
import type { Payment, PaymentTerms } from "@/server/x402/scheme";

export type PaymentChange = Pick<PaymentRecord, "state"> &
  Partial<Pick<PaymentRecord, "reason" | "transaction" | "rawTransaction" | "settledUnits">>;

export type Ledger = {
  find(id: Hex): Promise<PaymentRecord | undefined>;
  /** Notes that a payment was verified, unless the ledger knows more about it already. */
  noteVerified(id: Hex, payment: Payment): Promise<void>;
  /** Moves the payment on, inserting it where it is new. A settled one stays as it is, and false says so. */
  change(id: Hex, payment: Payment, change: PaymentChange): Promise<boolean>;
  /** Of this network. */
  listInState(state: PaymentRecord["state"]): Promise<PaymentRecord[]>;
};

/** Stable id of a payment: whoever repeats an authorization means the same payment. */
export function toPaymentId({ network, asset, payer, nonce }: PaymentTerms): Hex {
  const parameters = [{ type: "string" }, { type: "address" }, { type: "address" }, { type: "bytes32" }] as const;
  return keccak256(encodeAbiParameters(parameters, [network, asset, payer, nonce]));
}

/** Builds the ledger of one network over a store. */
export function createLedger(network: string, store: PaymentStore, nowMs: () => number): Ledger {
  const turns = new Map<Hex, Promise<unknown>>();

  function inTurn<T>(id: Hex, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(id) ?? Promise.resolve()).then(work, work);
    turns.set(id, turn);
    const forget = () => {
      if (turns.get(id) === turn) turns.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  }

  return {
    async find(id) {
      return store.findPayment(id);
    },
    noteVerified(id, payment) {
      return inTurn(id, async () => {
        const known = await store.findPayment(id);
        if (known && known.state !== "failed" && known.state !== "expired") return;
        await store.putPayment(toRecord(id, payment, nowMs(), known));
      });
    },
    change(id, payment, change) {
      return inTurn(id, async () => {
        const known = await store.findPayment(id);
        if (known?.state === "settled") return false;
        const record = { ...toRecord(id, payment, nowMs(), known), ...change };
        if (change.state === "settled") delete record.reason;
        await store.putPayment(record);
        return true;
      });
    },
    async listInState(state) {
      return (await store.listPaymentsInState(state)).filter((record) => record.network === network);
    },
  };
}

function toRecord(id: Hex, { terms, payload }: Payment, nowMs: number, known?: PaymentRecord): PaymentRecord {
  const { chargeUnits: _, ...kept } = terms;
  const resource = payload.resource?.url ?? known?.resource;
  return {
    id,
    ...kept,
    ...(resource !== undefined && { resource }),
    ...(known?.transaction && { transaction: known.transaction }),
    ...(known?.rawTransaction && { rawTransaction: known.rawTransaction }),
    state: "verified",
    payload: JSON.stringify(payload),
    createdAtMs: known?.createdAtMs ?? nowMs,
    changedAtMs: nowMs,
  };
}
