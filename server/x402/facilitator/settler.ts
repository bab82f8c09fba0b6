/**
 * Settles one payment: exactly one attempt at a time, however many callers ask. The signed transaction is recorded in
 * the ledger before it is sent, and a sent transaction is followed to its end before another is sent for that payment.
 */
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import { assertSettles } from "@/server/x402/facilitator/assertSettles";
import { type Batcher, TakenError } from "@/server/x402/facilitator/batcher";
import { createConclusions, type Settlement } from "@/server/x402/facilitator/conclusions";
import { isDone, type Ledger, toPaymentId } from "@/server/x402/facilitator/ledger";
import { isRecorded, isSamePayment, restorePayment, type ToPayment } from "@/server/x402/facilitator/recordedPayment";
import { confirmReceipt, type Relayer, sendAgain, type TransactionResult } from "@/server/x402/facilitator/relayer";
import type { Reservations } from "@/server/x402/facilitator/reservations";
import type { Simulations } from "@/server/x402/facilitator/simulations";
import type { Sponsor } from "@/server/x402/facilitator/sponsor";
import { PaymentError } from "@/server/x402/reads/error";
import { NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { Reader, WireReceipt } from "@/server/x402/reads/reader";
import type { Payment } from "@/server/x402/schemes/scheme";

export type Settler = {
  /** Settles, joins the attempt in progress, or returns the earlier settlement. Throws PaymentError, NetworkError. */
  settle(payment: Payment): Promise<Settlement>;
  /** The record after checking the chain, in case its transaction has ended. Throws NetworkError. */
  refresh(record: PaymentRecord, toPayment: ToPayment): Promise<PaymentRecord>;
  /** Finishes interrupted or slow settlements and closes expired ones. Never throws for a single payment. */
  recover(toPayment: ToPayment, staleMs: number): Promise<void>;
  /** Resolves once no attempt is in progress. */
  rest(): Promise<void>;
};

/** One account that sends settlements, and its batcher. */
export type Sender = { relayer: Relayer; batcher: Batcher };

export type SettlerOptions = {
  reader: Reader;
  senders: readonly [Sender, ...Sender[]];
  ledger: Ledger;
  reservations: Reservations;
  /** Throws PaymentError if the balance does not cover this payment along with the payer's others. */
  reserve: (id: Hex, payment: Payment) => Promise<void>;
  /** Sends the approvals of Permit2 that payers sign. */
  sponsor: Sponsor;
  simulations: Simulations;
  nowMs: () => number;
  /** Maximum gas for a settlement. */
  maxGas: bigint;
  onError: (error: unknown) => void;
};

/** How to retry after an attempt that ended without moving the money. */
type Again = { alone?: boolean; replaces?: Hex | undefined };

/** Builds the settler of one network. */
export function createSettler(options: SettlerOptions): Settler {
  const { reader, senders, ledger, reservations, reserve, sponsor, simulations, nowMs, maxGas, onError } = options;
  const attempts = new Map<Hex, { payment: Payment; settlement: Promise<Settlement> }>();
  /** Transactions being sent again; the payments of a batch share one. */
  const followed = new Map<Hex, Promise<TransactionResult>>();
  // Any account's relayer can wait for confirmations and send signed bytes.
  const { relayer: anyRelayer } = senders[0];
  const confirm = (receipt: WireReceipt) => confirmReceipt(anyRelayer, receipt);
  const { conclude, concludeUse } = createConclusions({
    reader,
    ledger,
    reservations,
    confirm,
    attemptAlone: (id, payment, replaces) => attempt(id, payment, { alone: true, replaces }),
    onError,
  });

  async function settle(payment: Payment): Promise<Settlement> {
    const id = toPaymentId(payment.terms);
    for (let running = attempts.get(id); running; running = attempts.get(id)) {
      if (isSamePayment(running.payment, payment)) return { ...(await running.settlement), first: false };
      // A different, possibly forged, reading of the same authorization; its outcome is not ours.
      await running.settlement.catch(() => undefined);
    }
    const settlement = proceed(id, payment).finally(() => {
      attempts.delete(id);
      reservations.release(id, payment.terms);
    });
    attempts.set(id, { payment, settlement });
    return settlement;
  }

  async function proceed(id: Hex, payment: Payment): Promise<Settlement> {
    for (;;) {
      await ledger.assertIdentifier(id, payment);
      const record = await ledger.find(id);
      try {
        return (record && (await answerKnown(id, payment, record))) ?? (await attempt(id, payment, toAgain(record)));
      } catch (error) {
        // Another instance was faster, so check the ledger for its progress.
        if (error instanceof TakenError) continue;
        return await concludeFailure(id, payment, error);
      }
    }
  }

  /** The answer for a payment that was already settled or sent; undefined if it should be sent. */
  async function answerKnown(id: Hex, payment: Payment, record: PaymentRecord): Promise<Settlement | undefined> {
    if (!isDone(record) && record.state !== "settling") return undefined;
    if (!isRecorded(record, payment)) throw new PaymentError(payment.usedReason);
    if (record.state === "settling") return resume(id, payment, record);
    return { id, transaction: record.transaction, units: record.settledUnits ?? record.amountUnits, first: false };
  }

  async function concludeFailure(id: Hex, payment: Payment, error: unknown): Promise<Settlement> {
    const record = await ledger.find(id);
    if (error instanceof NetworkError && record?.state === "settling" && isRecorded(record, payment)) {
      // The network went silent after the transaction was sent, so whether the payer was charged is not known yet.
      onError(error);
      throw new PaymentError("settlement_pending", undefined, {
        ...(record.transaction && { transaction: record.transaction }),
      });
    }
    if (!(error instanceof PaymentError)) throw error;
    if (record?.transaction && error.reason === payment.usedReason && isRecorded(record, payment)) {
      // One of our transactions that a node refused was included after all.
      const settlement = await concludeUse(id, payment);
      if (settlement) return settlement;
    }
    // A payment that was never verified is not recorded, or anyone could fill the ledger; one in flight has not failed.
    const isOpen = record?.state === "received" || record?.state === "verified" || record?.state === "failed";
    if (record && isOpen && error.transaction === undefined && isRecorded(record, payment)) {
      await ledger.change(id, payment, { state: "failed", reason: error.reason });
    }
    throw error;
  }

  async function attempt(id: Hex, payment: Payment, again: Again): Promise<Settlement> {
    const authorization = await payment.authorize();
    const { call, batchKey, approval } = authorization;
    if (payment.terms.chargeUnits === 0n) {
      const first = await ledger.change(id, payment, { state: "settled", settledUnits: 0n });
      return { id, transaction: undefined, units: 0n, first };
    }
    const from = payment.sender ?? senders[0].relayer.address;
    if (approval) {
      await assertSettles(reader, payment, authorization, from);
      await reserve(id, payment);
      await ledger.record(id, payment, "received");
      const spent = await sponsor.approve(approval, pickSender(payment).relayer);
      if (spent) await ledger.recordSpent(id, spent);
    }
    const gas = await simulations.run(payment, authorization, from);
    if (gas > maxGas) {
      throw new PaymentError(
        payment.simulationReason,
        `The settlement would take ${gas} gas, more than the ${maxGas} this facilitator pays for.`,
      );
    }
    await reserve(id, payment);
    // The transaction will record the payment shortly; an identifier is recorded now, so that no other payment can take
    // it.
    if (payment.identifier !== undefined) await ledger.record(id, payment, "received");
    const sent = await pickSender(payment).batcher.send({
      id,
      payment,
      call: { ...call, gas },
      batchKey: again.alone ? undefined : batchKey,
      replaces: again.replaces,
    });
    return conclude(id, payment, sent);
  }

  /** The account that the payer named, or else the least busy one. */
  function pickSender({ sender: bound }: Payment): Sender {
    if (bound) {
      const found = senders.find(({ relayer }) => relayer.address === bound);
      if (!found) throw new PaymentError("upto_facilitator_mismatch");
      return found;
    }
    const [first, ...others] = senders;
    return others.reduce((best, other) => (other.batcher.load() < best.batcher.load() ? other : best), first);
  }

  /** Follows a transaction that was sent before. Returns undefined if it is dead and a new one may be sent. */
  async function resume(id: Hex, payment: Payment, record: PaymentRecord): Promise<Settlement | undefined> {
    const { transaction, batch } = record;
    const raw = transaction && (await ledger.findSettlement(transaction));
    if (!raw) return undefined;
    const receipt = await reader.findReceipt(transaction);
    if (receipt) {
      const result = await confirm(receipt);
      return conclude(id, payment, { transaction, result, batch });
    }
    if (await payment.isUsed()) {
      const settlement = await concludeUse(id, payment);
      if (settlement) return settlement;
      await ledger.change(id, payment, { state: "failed", reason: payment.usedReason });
      throw new PaymentError(payment.usedReason);
    }
    if (record.validBefore * 1000 <= nowMs()) {
      await ledger.change(id, payment, { state: "expired" });
      // Throws the scheme's own reason for the expiry.
      await payment.authorize();
      return undefined;
    }
    const result = await follow(transaction, raw);
    return result.kind === "refused" ? undefined : conclude(id, payment, { transaction, result, batch });
  }

  function follow(transaction: Hex, raw: Hex): Promise<TransactionResult> {
    let result = followed.get(transaction);
    if (!result) {
      result = sendAgain(anyRelayer, { hash: transaction, raw }).finally(() => followed.delete(transaction));
      followed.set(transaction, result);
    }
    return result;
  }

  async function recover(toPayment: ToPayment, staleMs: number): Promise<void> {
    const since = nowMs() - staleMs;
    const settling = await ledger.listInState("settling");
    const open = [...(await ledger.listInState("verified")), ...(await ledger.listInState("received"))];
    const interrupted = settling.filter((record) => record.changedAtMs <= since && !attempts.has(record.id));
    const expired = open.filter((record) => record.validBefore * 1000 <= nowMs() && !attempts.has(record.id));
    await Promise.all(
      [...interrupted, ...expired].map(async (record) => {
        try {
          const payment = restorePayment(record, toPayment);
          if (record.state === "settling") await settle(payment);
          else await ledger.change(record.id, payment, { state: "expired" });
        } catch (error) {
          if (!(error instanceof PaymentError)) onError(error);
        }
      }),
    );
  }

  return {
    settle,
    recover,
    async refresh(record, toPayment) {
      const { id, transaction } = record;
      if (record.state !== "settling" || !transaction || attempts.has(id)) return record;
      if (!(await reader.findReceipt(transaction))) return record;
      await settle(restorePayment(record, toPayment)).catch((error) => {
        if (!(error instanceof PaymentError)) throw error;
      });
      return (await ledger.find(id)) ?? record;
    },
    async rest() {
      await Promise.allSettled([...attempts.values()].map(({ settlement }) => settlement));
    },
  };
}

/** After a transaction that settled nothing, the next one replaces it. */
function toAgain(record: PaymentRecord | undefined): Again {
  return record?.state === "settling" ? { replaces: record.transaction } : {};
}
