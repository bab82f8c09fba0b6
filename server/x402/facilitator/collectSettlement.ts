/**
 * Reports a settlement's success to only one caller, across instances and restarts. That caller can receive it again by
 * repeating its Idempotency-Key. If a caller disconnects or times out, the next caller receives the success.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Hex } from "@/lib/x402/types";
import { writeTogether } from "@/server/x402/facilitator/ledgerWriter";
import type { NetworkFacilitator } from "@/server/x402/facilitator/networkFacilitator";
import {
  type FacilitatorPayment,
  isDone,
  isRecorded,
  isSameAuthorization,
  toUsedError,
} from "@/server/x402/facilitator/payment";
import type { Settlement } from "@/server/x402/facilitator/settlement";
import { refresh, settle } from "@/server/x402/facilitator/settler";
import { isPaymentError, PaymentError } from "@/server/x402/reads/error";

/** The caller that requests a settlement, usually a resource server. */
export type Caller = {
  /** With the same key, the caller gets the same success again. */
  idempotencyKey?: string | undefined;
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal | undefined;
};

/** The longest delay that a timer accepts. */
const maxTimerMs = 2 ** 31 - 1;

/** Settles the payment for one caller, which waits at most maxSeconds. Throws PaymentError or NetworkError. */
export async function collectSettlement(
  facilitator: NetworkFacilitator,
  payment: FacilitatorPayment,
  { idempotencyKey, signal }: Caller,
  maxSeconds: number,
): Promise<Settlement<"settled">> {
  const collector = toCollector(idempotencyKey);
  let hasLeft = false;
  let isCollecting = false;
  const findCollector = () => {
    isCollecting ||= !hasLeft;
    return isCollecting ? collector : undefined;
  };
  const settling = settle(facilitator, { ...payment, findCollector });
  let settled = await waitFor(settling, Math.min(maxSeconds * 1000, maxTimerMs), signal);
  hasLeft = settled === undefined || signal?.aborted === true;
  if (isCollecting) settled = await settling;
  if (settled && (isCollecting || !hasLeft)) {
    if (await collect(facilitator, payment.id, collector)) return settled;
    const known = await facilitator.ledger.store.findPayment(payment.id);
    throw known && isDone(known) ? toUsedError(payment, settled.transaction) : new PaymentError("chain_rewound");
  }
  // If the caller leaves, the settlement continues.
  settling.catch((error) => {
    if (!isPaymentError(error)) facilitator.onError(error);
  });
  const record = await facilitator.ledger.store.findPayment(payment.id);
  const isSent = record && (record.state === "settling" || isDone(record)) && isRecorded(record, payment);
  if (isSent && record.transaction) {
    throw new PaymentError("settlement_pending", undefined, { transaction: record.transaction });
  }
  throw new PaymentError("settlement_pending", `The settlement did not finish within ${maxSeconds} seconds.`);
}

/**
 * Records in the ledger that a caller receives the success. Returns false if another caller has already received it,
 * or if a rewind of the chain undid the payment.
 */
export async function collect(
  { ledger: { store, writer, nowMs } }: NetworkFacilitator,
  id: Hex,
  collectedBy = toCollector(undefined),
): Promise<boolean> {
  let mayHear = false;
  await writeTogether(writer, async () => {
    const known = await store.findPayment(id);
    const isFirst = known !== undefined && isDone(known) && known.collectedBy === undefined;
    mayHear = isFirst || known?.collectedBy === collectedBy;
    return isFirst ? [{ ...known, collectedBy, revision: known.revision + 1, changedAtMs: nowMs() }] : undefined;
  });
  return mayHear;
}

/** Returns the ID that the ledger stores for a caller. It doesn't reveal the caller's key. */
function toCollector(idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? randomUUID() : createHash("sha256").update(idempotencyKey).digest("hex");
}

/**
 * Returns the transaction of a settled payment whose success no caller has received, so it can still pay for one
 * request. Returns undefined if the payment is neither settled nor settling. Throws PaymentError if the payment is
 * still settling, or if a caller has already received its success.
 */
export async function findUncollected(
  facilitator: NetworkFacilitator,
  payment: FacilitatorPayment,
): Promise<{ transaction?: Hex } | undefined> {
  const known = await facilitator.ledger.store.findPayment(payment.id);
  if (!known) return undefined;
  const { state, transaction, collectedBy, ...record } = await refresh(facilitator, known);
  const details = transaction && { transaction };
  if (state === "settling") throw new PaymentError("settlement_pending", undefined, details);
  if (!isDone({ state })) return undefined;
  if (collectedBy === undefined && isSameAuthorization(record, payment)) return { ...details };
  throw toUsedError(payment, transaction);
}

/** Waits for the result. Resolves to undefined if the time passes or the signal aborts first. */
async function waitFor<Result>(
  result: Promise<Result>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const left = new Promise<undefined>((resolve) => {
    const leave = () => resolve(undefined);
    timer = setTimeout(leave, ms);
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted) leave();
  });
  try {
    return await Promise.race([result, left]);
  } finally {
    clearTimeout(timer);
  }
}
