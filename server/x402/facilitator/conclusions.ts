/**
 * Concludes attempts: records in the ledger what a transaction's receipt shows about a payment, and returns the
 * settlement or throws the reason for its failure. If the transaction failed, the chain is checked in case the payee
 * was paid anyway.
 */
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import type { BatchedTransaction } from "@/server/x402/facilitator/batcher";
import type { GasShare, Ledger } from "@/server/x402/facilitator/ledger";
import type { TransactionResult } from "@/server/x402/facilitator/relayer";
import type { Reservations } from "@/server/x402/facilitator/reservations";
import { PaymentError } from "@/server/x402/reads/error";
import { NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { Reader, WireReceipt } from "@/server/x402/reads/reader";
import type { Payment } from "@/server/x402/schemes/scheme";

export type Settlement = {
  id: Hex;
  transaction: Hex | undefined;
  units: bigint;
  /** Whether this call settled the payment. At most one call does; all others report the same settlement. */
  first: boolean;
};

export type Conclusions = {
  /**
   * Concludes a payment from its sent transaction. Throws PaymentError if nothing was settled or the outcome is not
   * known yet.
   */
  conclude(id: Hex, payment: Payment, sent: BatchedTransaction): Promise<Settlement>;
  /** Finds the settlement by any sender that consumed the authorization, if it moved the agreed amount. */
  concludeUse(id: Hex, payment: Payment, gas?: GasShare): Promise<Settlement | undefined>;
};

export type ConclusionsOptions = {
  reader: Reader;
  ledger: Ledger;
  reservations: Reservations;
  confirm: (receipt: WireReceipt) => Promise<TransactionResult>;
  /** Settles a payment in its own transaction, after it failed in a batch. */
  attemptAlone: (id: Hex, payment: Payment, replaces: Hex) => Promise<Settlement>;
  onError: (error: unknown) => void;
};

/** Builds the conclusions of one network's settler. */
export function createConclusions(options: ConclusionsOptions): Conclusions {
  const { reader, ledger, reservations, confirm, attemptAlone, onError } = options;

  async function conclude(
    id: Hex,
    payment: Payment,
    { transaction, result, batch }: BatchedTransaction,
  ): Promise<Settlement> {
    if (result.kind === "mined") return concludeMined(id, payment, result.receipt, batch);
    if (result.kind === "pending") throw new PaymentError("settlement_pending", undefined, { transaction });
    onError(new NetworkError(`The network refused a settlement: ${result.words}`));
    await ledger.change(id, payment, { state: "failed", reason: "unexpected_error" });
    throw new PaymentError("unexpected_error", "The network refused the settlement transaction.", {
      code: "unexpected_settle_error",
    });
  }

  /** Concludes one of our transactions that is in a block. */
  async function concludeMined(
    id: Hex,
    payment: Payment,
    receipt: WireReceipt,
    batch: PaymentRecord["batch"],
  ): Promise<Settlement> {
    const transaction = receipt.transactionHash;
    const gas = toGasShare(receipt, batch);
    const succeeded = BigInt(receipt.status) === 1n;
    if (succeeded && (!batch || payment.isSettledBy(receipt))) return concludeTransfer(id, payment, receipt, gas);
    // Somebody who saw the authorization may have submitted it to the token first; then the payee was paid anyway.
    const settlement = (await payment.isUsed()) ? await concludeUse(id, payment, gas) : undefined;
    if (settlement) return settlement;
    if (batch) {
      // The other payments may have made it fail, so it is tried again alone.
      await ledger.change(id, payment, { state: "received", gas });
      return attemptAlone(id, payment, transaction);
    }
    await ledger.change(id, payment, { state: "failed", reason: payment.revertedReason, transaction, gas });
    throw new PaymentError(payment.revertedReason, undefined, { transaction });
  }

  /** Concludes a successful transaction, ours or not, that consumed the authorization. */
  async function concludeTransfer(
    id: Hex,
    payment: Payment,
    receipt: WireReceipt,
    gas: GasShare | undefined,
  ): Promise<Settlement> {
    const transaction = receipt.transactionHash;
    try {
      payment.assertTransferred(receipt);
    } catch (error) {
      if (error instanceof PaymentError) {
        await ledger.change(id, payment, { state: "failed", reason: error.reason, transaction, gas });
      }
      throw error;
    }
    reservations.release(id, payment.terms);
    const units = payment.terms.chargeUnits;
    const first = await ledger.change(id, payment, { state: "settled", transaction, settledUnits: units, gas });
    return { id, transaction, units, first };
  }

  async function concludeUse(id: Hex, payment: Payment, gas?: GasShare): Promise<Settlement | undefined> {
    const use = await payment.findUse();
    const found = use && (await reader.findReceipt(use));
    if (!found || BigInt(found.status) !== 1n) return undefined;
    const result = await confirm(found);
    if (result.kind !== "mined") throw new PaymentError("settlement_pending", undefined, { transaction: use });
    return concludeTransfer(id, payment, result.receipt, gas);
  }

  return { conclude, concludeUse };
}

/** Divides the transaction's gas evenly among its payments; the first ones take the remainder. */
function toGasShare({ gasUsed, effectiveGasPrice }: WireReceipt, batch: PaymentRecord["batch"]): GasShare | undefined {
  if (!gasUsed || !effectiveGasPrice) return undefined;
  const { size, index } = batch ?? { size: 1, index: 0 };
  const total = BigInt(gasUsed);
  const used = total / BigInt(size) + (BigInt(index) < total % BigInt(size) ? 1n : 0n);
  return { used, costWei: used * BigInt(effectiveGasPrice) };
}
