/**
 * Settling one payment: exactly one attempt at a time, whoever asks and however often. The signed transaction is in the
 * ledger before it is sent; what was sent once is followed to its end before anything else is sent for that payment.
 */
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/storage/port";
import { PaymentError } from "@/server/x402/error";
import { NetworkError } from "@/server/x402/jsonRpcError";
import { type Ledger, toPaymentId } from "@/server/x402/ledger";
import type { Reader, WireReceipt } from "@/server/x402/reader";
import type { Delivery, Relayer, SignedTransaction } from "@/server/x402/relayer";
import type { Reservations } from "@/server/x402/reservations";
import type { Payment } from "@/server/x402/scheme";

export type Settlement = {
  transaction: Hex | undefined;
  units: bigint;
  /** Whether this call settled the payment; at most one call ever does, all others only hear of it. */
  first: boolean;
};

export type Settler = {
  /** Settles, joins the attempt under way, or answers what was settled before. Throws PaymentError, NetworkError. */
  settle(payment: Payment): Promise<Settlement>;
  /** Finishes what a crash interrupted, and closes what expired. Never throws for a single payment. */
  recover(toPayment: (payload: PaymentPayload, requirements: PaymentRequirements) => Payment): Promise<void>;
};

export type SettlerOptions = {
  reader: Reader;
  relayer: Relayer;
  ledger: Ledger;
  reservations: Reservations;
  /** Throws PaymentError where the balance does not cover this payment beside the payer's others. */
  reserve: (id: Hex, payment: Payment) => Promise<void>;
  nowMs: () => number;
  /** More than this is not paid for a settlement. */
  maxGas: bigint;
  onError: (error: unknown) => void;
};

/** Builds the settler of one network. */
export function createSettler(options: SettlerOptions): Settler {
  const { reader, relayer, ledger, reservations, reserve, nowMs, maxGas, onError } = options;
  const attempts = new Map<Hex, { payment: Payment; settlement: Promise<Settlement> }>();

  async function settle(payment: Payment): Promise<Settlement> {
    const id = toPaymentId(payment.terms);
    for (let running = attempts.get(id); running; running = attempts.get(id)) {
      if (isSamePayment(running.payment, payment)) return { ...(await running.settlement), first: false };
      // Another reading of the same authorization, a forged one perhaps: its outcome is not ours.
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
    const record = await ledger.find(id);
    if (record && (record.state === "settled" || record.state === "settling")) {
      if (!isRecorded(record, payment)) throw new PaymentError(payment.usedReason);
      if (record.state === "settled") {
        const units = record.settledUnits ?? record.amountUnits;
        return { transaction: record.transaction, units, first: false };
      }
      const resumed = await resume(id, payment, record);
      if (resumed) return resumed;
    }
    try {
      return await attempt(id, payment);
    } catch (error) {
      if (record?.transaction && error instanceof PaymentError && error.reason === payment.usedReason) {
        // A transaction of ours that a node disowned was included after all.
        const settlement = isRecorded(record, payment) ? await concludeUse(id, payment) : undefined;
        if (settlement) return settlement;
      }
      // What was never verified leaves no trace, or anyone could fill the ledger.
      if (record && error instanceof PaymentError && error.transaction === undefined) {
        await ledger.change(id, payment, { state: "failed", reason: error.reason });
      }
      throw error;
    }
  }

  async function attempt(id: Hex, payment: Payment): Promise<Settlement> {
    const call = await payment.authorize();
    if (payment.terms.chargeUnits === 0n) {
      const first = await ledger.change(id, payment, { state: "settled", settledUnits: 0n });
      return { transaction: undefined, units: 0n, first };
    }
    const estimate = await reader.estimateGas({ ...call, from: relayer.address });
    if (!estimate.ok) throw await payment.explain(estimate.revert);
    if (estimate.gas > maxGas) {
      throw new PaymentError(
        payment.simulationReason,
        `The settlement would take ${estimate.gas} gas, more than the ${maxGas} this facilitator pays for.`,
      );
    }
    await reserve(id, payment);
    const gas = (estimate.gas * 12n) / 10n;
    const { transaction, delivery } = await relayer.send({ ...call, gas }, async (signed) => {
      await ledger.change(id, payment, {
        state: "settling",
        transaction: signed.hash,
        rawTransaction: signed.raw,
        settledUnits: payment.terms.chargeUnits,
      });
    });
    return conclude(id, payment, transaction.hash, delivery);
  }

  async function conclude(id: Hex, payment: Payment, hash: Hex, delivery: Delivery): Promise<Settlement> {
    if (delivery.kind === "mined") return concludeMined(id, payment, delivery.receipt);
    if (delivery.kind === "pending") throw new PaymentError("settlement_pending", undefined, { transaction: hash });
    onError(new NetworkError(`The network refused a settlement by ${relayer.address}: ${delivery.words}`));
    await ledger.change(id, payment, { state: "failed", reason: "unexpected_error" });
    throw new PaymentError("unexpected_error", "The network refused the settlement transaction.", {
      code: "unexpected_settle_error",
    });
  }

  async function concludeMined(id: Hex, payment: Payment, receipt: WireReceipt): Promise<Settlement> {
    const transaction = receipt.transactionHash;
    const succeeded = BigInt(receipt.status) === 1n;
    if (!succeeded) {
      // Whoever saw the authorization may have shown it to the token first: then the payee has the money all the same.
      const settlement = (await payment.isUsed()) ? await concludeUse(id, payment) : undefined;
      if (settlement) return settlement;
      await ledger.change(id, payment, { state: "failed", reason: payment.revertedReason, transaction });
      throw new PaymentError(payment.revertedReason, undefined, { transaction });
    }
    try {
      payment.assertTransferred(receipt);
    } catch (error) {
      if (error instanceof PaymentError) {
        await ledger.change(id, payment, { state: "failed", reason: error.reason, transaction });
      }
      throw error;
    }
    reservations.release(id, payment.terms);
    const units = payment.terms.chargeUnits;
    const first = await ledger.change(id, payment, { state: "settled", transaction, settledUnits: units });
    return { transaction, units, first };
  }

  /** The settlement by whoever consumed the authorization, where it moved what was agreed. */
  async function concludeUse(id: Hex, payment: Payment): Promise<Settlement | undefined> {
    const use = await payment.findUse();
    const receipt = use && (await reader.findReceipt(use));
    return receipt && BigInt(receipt.status) === 1n ? concludeMined(id, payment, receipt) : undefined;
  }

  /** Follows a transaction that was sent before. undefined means that it is dead and a new one may be made. */
  async function resume(id: Hex, payment: Payment, record: PaymentRecord): Promise<Settlement | undefined> {
    const sent = toSignedTransaction(record);
    if (!sent) return undefined;
    const receipt = await reader.findReceipt(sent.hash);
    if (receipt) return concludeMined(id, payment, receipt);
    if (await payment.isUsed()) {
      const settlement = await concludeUse(id, payment);
      if (settlement) return settlement;
      await ledger.change(id, payment, { state: "failed", reason: payment.usedReason });
      throw new PaymentError(payment.usedReason);
    }
    if (record.validBefore * 1000 <= nowMs()) {
      await ledger.change(id, payment, { state: "expired" });
      return undefined;
    }
    const delivery = await relayer.follow(sent);
    return delivery.kind === "refused" ? undefined : conclude(id, payment, sent.hash, delivery);
  }

  async function recover(
    toPayment: (payload: PaymentPayload, requirements: PaymentRequirements) => Payment,
  ): Promise<void> {
    const interrupted = await ledger.listInState("settling");
    const waiting = await ledger.listInState("verified");
    const expired = waiting.filter(({ validBefore }) => validBefore * 1000 <= nowMs());
    await Promise.all(
      [...interrupted, ...expired].map(async (record) => {
        try {
          const payload = JSON.parse(record.payload) as PaymentPayload;
          const payment = toPayment(payload, toRequirements(record, payload));
          if (record.state === "settling") await settle(payment);
          else await ledger.change(record.id as Hex, payment, { state: "expired" });
        } catch (error) {
          if (!(error instanceof PaymentError)) onError(error);
        }
      }),
    );
  }

  return { settle, recover };
}

/** The requirement under which a recorded payment was taken. */
function toRequirements(record: PaymentRecord, payload: PaymentPayload): PaymentRequirements {
  return {
    ...payload.accepted,
    scheme: record.scheme,
    network: record.network,
    amount: String(record.settledUnits ?? record.amountUnits),
    asset: record.asset,
    payTo: record.payee,
  };
}

function toSignedTransaction(record: PaymentRecord): SignedTransaction | undefined {
  const { transaction: hash, rawTransaction: raw } = record;
  return hash && raw ? { hash, raw } : undefined;
}

function isSamePayment(one: Payment, other: Payment): boolean {
  return (
    one.terms.payee === other.terms.payee &&
    one.terms.chargeUnits === other.terms.chargeUnits &&
    toFingerprint(one.payload) === toFingerprint(other.payload)
  );
}

function isRecorded(record: PaymentRecord, { terms, payload }: Payment): boolean {
  return (
    record.payee === terms.payee &&
    (record.settledUnits ?? record.amountUnits) === terms.chargeUnits &&
    toFingerprint(JSON.parse(record.payload) as PaymentPayload) === toFingerprint(payload)
  );
}

/** The signed part; hexadecimal digits may differ in case. */
function toFingerprint({ payload }: PaymentPayload): string {
  return JSON.stringify(payload).toLowerCase();
}
