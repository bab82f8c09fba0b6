/**
 * Runs settlements. Each payment is settled by only one attempt at a time, no matter how many callers request it. After
 * a crash, `recover` resumes interrupted settlements from the ledger.
 */
import type { PaymentRecord } from "@/server/ports/store";
import { changePayment, listInState } from "@/server/x402/facilitator/ledger";
import type { NetworkFacilitator } from "@/server/x402/facilitator/networkFacilitator";
import { type FacilitatorPayment, hasExpired, isSamePayment, restorePayment } from "@/server/x402/facilitator/payment";
import type { Settlement } from "@/server/x402/facilitator/settlement";
import {
  concludeFailure,
  concludeUse,
  consultLedger,
  judgeReceipt,
  prepare,
  resume,
  send,
} from "@/server/x402/facilitator/settlementSteps";
import { isPaymentError, PaymentError } from "@/server/x402/reads/error";

/**
 * Settles the payment, joins the attempt in progress, or returns the earlier settlement. Throws PaymentError or
 * NetworkError.
 */
export async function settle(
  facilitator: NetworkFacilitator,
  payment: FacilitatorPayment,
): Promise<Settlement<"settled">> {
  const { attempts } = facilitator;
  const { id } = payment;
  for (let running = attempts.get(id); running; running = attempts.get(id)) {
    if (isSamePayment(running.payment, payment)) return running.settled;
    // The running attempt is for a different payment with the same authorization, possibly a forged one, so its outcome
    // is not the outcome of this payment.
    await running.settled.catch(() => undefined);
  }
  const settled = run(facilitator, payment).finally(() => attempts.delete(id));
  attempts.set(id, { payment, settled });
  return settled;
}

async function run(facilitator: NetworkFacilitator, payment: FacilitatorPayment): Promise<Settlement<"settled">> {
  let settlement: Settlement = { state: "asked", payment };
  for (;;) {
    // A pending payment keeps its reservation, because it may still move money.
    if (settlement.state === "settled" || settlement.state === "failed") facilitator.reservations.release(payment);
    if (settlement.state === "settled") return settlement;
    if (settlement.state === "failed") throw settlement.error;
    if (settlement.state === "pending") {
      const { transaction } = settlement;
      throw new PaymentError("settlement_pending", undefined, transaction && { transaction });
    }
    settlement = await step(facilitator, settlement);
  }
}

type Unfinished = Exclude<Settlement, { state: "settled" | "pending" | "failed" }>;

async function step(facilitator: NetworkFacilitator, settlement: Unfinished): Promise<Settlement> {
  try {
    switch (settlement.state) {
      case "asked":
        return await consultLedger(facilitator, settlement);
      case "unsent":
        return await prepare(facilitator, settlement);
      case "prepared":
        return await send(facilitator, settlement);
      case "recorded":
        return await resume(facilitator, settlement);
      case "mined":
        return await judgeReceipt(facilitator, settlement);
      case "used":
        return await concludeUse(facilitator, settlement);
      case "interrupted":
        return await concludeFailure(facilitator, settlement);
    }
  } catch (error) {
    const { state, payment } = settlement;
    // The ledger couldn't be read, or the client's identifier is already used for another payment.
    if (state === "asked" || state === "interrupted") return { state: "failed", payment, error };
    return { state: "interrupted", payment, error };
  }
}

/**
 * If a settling payment's transaction is in a block, completes the settlement. Returns the up-to-date record. Throws
 * NetworkError.
 */
export async function refresh(facilitator: NetworkFacilitator, record: PaymentRecord): Promise<PaymentRecord> {
  const { network, ledger, attempts } = facilitator;
  const { id, transaction } = record;
  if (record.state !== "settling" || !transaction || attempts.has(id)) return record;
  if (!(await network.reader.findReceipt(transaction))) return record;
  await settle(facilitator, restorePayment(network, record)).catch((error) => {
    if (!isPaymentError(error)) throw error;
  });
  return (await ledger.store.findPayment(id)) ?? record;
}

/**
 * Resumes settlements whose records haven't changed for `staleMs`, and marks unsettled payments as expired once their
 * authorization has ended. Skips payments that this process is settling now.
 */
export async function recover(facilitator: NetworkFacilitator, staleMs: number): Promise<void> {
  const { network, ledger, attempts, onError } = facilitator;
  const nowMs = ledger.nowMs();
  const settling = await listInState(ledger, "settling");
  const open = [...(await listInState(ledger, "verified")), ...(await listInState(ledger, "received"))];
  const interrupted = settling.filter(({ changedAtMs }) => changedAtMs <= nowMs - staleMs);
  const expired = open.filter((record) => hasExpired(record, nowMs));
  const idle = [...interrupted, ...expired].filter(({ id }) => !attempts.has(id));
  await Promise.all(
    idle.map(async (record) => {
      try {
        const payment = restorePayment(network, record);
        if (record.state === "settling") await settle(facilitator, payment);
        else await changePayment(ledger, payment, { state: "expired" });
      } catch (error) {
        if (!isPaymentError(error)) onError(error);
      }
    }),
  );
}
