/**
 * The steps of a settlement, one for each non-final state in settlement.ts. Each step does its state's work, writes to
 * the ledger and leads to the next state through an event. If a step throws, the settlement moves to `interrupted`.
 */
import { hasErrorCode } from "@/lib/hasErrorCode";
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import { type Batcher, getLoad, sendInBatch } from "@/server/x402/facilitator/batcher";
import { assertGas, checkPayment, getSender, reserveAmount } from "@/server/x402/facilitator/checkPayment";
import {
  assertIdentifier,
  changePayment,
  type GasShare,
  recordGas,
  recordPayment,
} from "@/server/x402/facilitator/ledger";
import type { NetworkFacilitator } from "@/server/x402/facilitator/networkFacilitator";
import {
  type FacilitatorPayment,
  hasExpired,
  isDone,
  isRecorded,
  isRewound,
  toUsedError,
} from "@/server/x402/facilitator/payment";
import { confirmReceipt, sendAgain, type TransactionResult } from "@/server/x402/facilitator/relayer";
import { advance, type Settlement } from "@/server/x402/facilitator/settlement";
import { simulate } from "@/server/x402/facilitator/simulations";
import { assertBudget, recordRevert } from "@/server/x402/facilitator/spending";
import { sendApproval } from "@/server/x402/facilitator/sponsor";
import { isPaymentError, PaymentError } from "@/server/x402/reads/error";
import { isNetworkError, NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { WireReceipt } from "@/server/x402/reads/reader";
import type { Approval, Authorization } from "@/server/x402/schemes/scheme";

/** The step for the state `asked`: looks up the payment in the ledger. */
export async function consultLedger(
  { ledger }: NetworkFacilitator,
  settlement: Settlement<"asked">,
): Promise<Settlement> {
  const { payment } = settlement;
  const { store } = ledger;
  const [record] = await Promise.all([store.findPayment(payment.id), assertIdentifier(store, payment)]);
  if (!record || (!isDone(record) && record.state !== "settling")) {
    // Once a rewind has undone the payment, only a new request may change it, not an attempt that started before the
    // rewind.
    if (record && isRewound(record) && isRecorded(record, payment)) await recordPayment(ledger, payment, "received");
    return advance(settlement, "notInFlight", {});
  }
  if (!isRecorded(record, payment)) {
    return advance(settlement, "differsFromLedger", { error: toUsedError(payment, record.transaction) });
  }
  if (record.state === "settling") return advance(settlement, "inFlight", { record });
  const units = record.settledUnits ?? record.amountUnits;
  return advance(settlement, "settledBefore", { transaction: record.transaction, units });
}

/** The step for the state `unsent`: checks the payment and determines its gas. */
export async function prepare(facilitator: NetworkFacilitator, settlement: Settlement<"unsent">): Promise<Settlement> {
  const { ledger } = facilitator;
  const { payment, isAlone, replaces } = settlement;
  if (payment.terms.chargeUnits === 0n) {
    await payment.authorize();
    await changePayment(ledger, payment, { state: "settled", settledUnits: 0n });
    return advance(settlement, "nothingToCharge", { transaction: undefined, units: 0n });
  }
  const { authorization, gas: knownGas } = await checkPayment(facilitator, payment, "settle");
  const { call, batchKey, payerHasCode, approval } = authorization;
  if (approval) await includeApproval(facilitator, payment, approval);
  const gas = knownGas ?? (await estimateAfterApproval(facilitator, payment, authorization));
  // Recording the payment here claims its identifier, so that no other payment can use it. A payment without an
  // identifier is recorded together with its transaction.
  if (payment.identifier !== undefined) await recordPayment(ledger, payment, "received");
  return advance(settlement, "checked", {
    call: { ...call, gas },
    // A payer's contract code can behave differently for each sender. The account that simulated the call must also
    // send it.
    sender: payerHasCode ? getSender(facilitator, payment) : payment.sender,
    batchKey: isAlone ? undefined : batchKey,
    replaces,
  });
}

async function includeApproval(
  facilitator: NetworkFacilitator,
  payment: FacilitatorPayment,
  approval: Approval,
): Promise<void> {
  const { ledger, sponsor } = facilitator;
  await assertBudget(facilitator.spending, payment, approval.gas, "settle");
  await recordPayment(ledger, payment, "received");
  const spent = await sendApproval(sponsor, approval, pickBatcher(facilitator, payment.sender).relayer);
  if (spent) await recordGas(ledger, payment.id, spent);
}

async function estimateAfterApproval(
  facilitator: NetworkFacilitator,
  payment: FacilitatorPayment,
  authorization: Authorization,
): Promise<bigint> {
  const from = getSender(facilitator, payment);
  const gas = await simulate(facilitator.simulations, payment, authorization, from, "settle");
  await assertGas(facilitator, payment, authorization, gas, "settle");
  // The reservation may have expired while the approval was sent.
  await reserveAmount(facilitator, payment);
  return gas;
}

/** Picks the batcher of the account that must send the payment. If any account may, picks the least busy one. */
function pickBatcher({ batchers }: NetworkFacilitator, sender: Hex | undefined): Batcher {
  if (sender) {
    const found = batchers.find(({ relayer }) => relayer.address === sender);
    if (!found) throw new PaymentError("upto_facilitator_mismatch");
    return found;
  }
  return batchers.reduce((best, other) => (getLoad(other) < getLoad(best) ? other : best));
}

/** The step for the state `prepared`: records and sends the transaction, and waits for its receipt. */
export async function send(facilitator: NetworkFacilitator, settlement: Settlement<"prepared">): Promise<Settlement> {
  const { ledger, onError } = facilitator;
  const { payment } = settlement;
  const sent = await sendInBatch(pickBatcher(facilitator, settlement.sender), settlement).catch((error) => {
    if (hasErrorCode(error, "PAYMENT_TAKEN")) return undefined;
    throw error;
  });
  if (!sent) return advance(settlement, "takenByAnotherInstance", {});
  const { transaction, result, batch } = sent;
  if (result.kind === "mined") return advance(settlement, "receiptFound", { receipt: result.receipt, batch });
  if (result.kind === "pending") return advance(settlement, "receiptMissing", { transaction });
  await changePayment(ledger, payment, { state: "failed", reason: "unexpected_error" });
  onError(new NetworkError(`The network rejected a settlement: ${result.words}`));
  const error = new PaymentError("unexpected_error", "The network rejected the settlement transaction.", {
    code: "unexpected_settle_error",
  });
  return advance(settlement, "refusedByNode", { error });
}

/** The step for the state `recorded`: finds the receipt of the recorded transaction, or sends the transaction again. */
export async function resume(facilitator: NetworkFacilitator, settlement: Settlement<"recorded">): Promise<Settlement> {
  const { ledger, network } = facilitator;
  const { payment, record } = settlement;
  const { transaction, batch } = record;
  const raw = transaction && (await ledger.store.findSettlement(transaction));
  if (!raw) return advance(settlement, "bytesMissing", { replaces: transaction });
  const receipt = await network.reader.findReceipt(transaction);
  if (!receipt && (await payment.isUsed())) {
    const use = await followUse(facilitator, settlement);
    if (use) return use;
    await changePayment(ledger, payment, { state: "failed", reason: payment.usedReason });
    return advance(settlement, "useNotFound", { error: new PaymentError(payment.usedReason) });
  }
  if (!receipt && hasExpired(record, ledger.nowMs())) {
    await changePayment(ledger, payment, { state: "expired" });
    return advance(settlement, "expired", { replaces: transaction });
  }
  const result = await (receipt ? confirm(facilitator, receipt) : resend(facilitator, transaction, raw));
  if (result.kind === "mined") return advance(settlement, "receiptFound", { receipt: result.receipt, batch });
  if (result.kind === "pending") return advance(settlement, "receiptMissing", { transaction });
  return advance(settlement, "refusedByNode", { replaces: transaction });
}

// Any account's relayer can wait for confirmations and send signed bytes, so the first relayer is used.
const confirm = ({ batchers: [{ relayer }] }: NetworkFacilitator, receipt: WireReceipt) =>
  confirmReceipt(relayer, receipt);

function resend(
  { batchers: [{ relayer }], resent }: NetworkFacilitator,
  hash: Hex,
  raw: Hex,
): Promise<TransactionResult> {
  const running = resent.get(hash);
  if (running) return running;
  const result = sendAgain(relayer, { hash, raw }).finally(() => resent.delete(hash));
  resent.set(hash, result);
  return result;
}

/** Continues from the state `mined`: our transaction is in a block, and its receipt says whether it succeeded. */
export async function judgeReceipt(
  facilitator: NetworkFacilitator,
  settlement: Settlement<"mined">,
): Promise<Settlement> {
  const { ledger } = facilitator;
  const { payment, receipt, batch } = settlement;
  const gas = toGasShare(receipt, batch);
  const succeeded = BigInt(receipt.status) === 1n;
  if (succeeded && (!batch || payment.isSettledBy(receipt))) return advance(settlement, "succeeded", { receipt, gas });
  const use = (await payment.isUsed()) ? await followUse(facilitator, settlement, gas) : undefined;
  if (use) return use;
  const transaction = receipt.transactionHash;
  if (batch) {
    await changePayment(ledger, payment, { state: "received", gas });
    return advance(settlement, "failedInBatch", { isAlone: true, replaces: transaction });
  }
  const reason = payment.revertedReason;
  await changePayment(ledger, payment, { state: "failed", reason, transaction, gas });
  await recordRevert(facilitator.spending, payment);
  return advance(settlement, "reverted", { error: new PaymentError(reason, undefined, { transaction }) });
}

/**
 * Returns a payment's share of the gas that its transaction used. The gas is divided evenly, and the remainder is
 * spread over the first payments, one unit each.
 */
function toGasShare({ gasUsed, effectiveGasPrice }: WireReceipt, batch: PaymentRecord["batch"]): GasShare | undefined {
  if (!gasUsed || !effectiveGasPrice) return undefined;
  const { size, index } = batch ?? { size: 1, index: 0 };
  const total = BigInt(gasUsed);
  const used = total / BigInt(size) + (BigInt(index) < total % BigInt(size) ? 1n : 0n);
  return { used, costWei: used * BigInt(effectiveGasPrice) };
}

/**
 * Continues with the successful transaction that used the authorization, no matter who sent it. Returns undefined if
 * there is none.
 */
async function followUse(
  facilitator: NetworkFacilitator,
  settlement: Settlement<"recorded" | "mined" | "interrupted">,
  gas?: GasShare,
): Promise<Settlement | undefined> {
  const transaction = await settlement.payment.findUse();
  const receipt = transaction && (await facilitator.network.reader.findReceipt(transaction));
  if (!receipt || BigInt(receipt.status) !== 1n) return undefined;
  const result = await confirm(facilitator, receipt);
  if (result.kind !== "mined") return advance(settlement, "useUnconfirmed", { transaction });
  return advance(settlement, "usedByAnother", { receipt: result.receipt, gas });
}

/**
 * `used`: checks whether the transaction that used the authorization transferred the agreed amount. That transaction
 * may be ours or anyone else's.
 */
export async function concludeUse({ ledger }: NetworkFacilitator, settlement: Settlement<"used">): Promise<Settlement> {
  const { payment, receipt, gas } = settlement;
  const transaction = receipt.transactionHash;
  try {
    payment.assertTransferred(receipt);
  } catch (error) {
    if (!isPaymentError(error)) throw error;
    await changePayment(ledger, payment, { state: "failed", reason: error.reason, transaction, gas });
    return advance(settlement, "notTransferred", { error });
  }
  const units = payment.terms.chargeUnits;
  await changePayment(ledger, payment, { state: "settled", transaction, settledUnits: units, gas });
  return advance(settlement, "transferred", { transaction, units });
}

/** The step for the state `interrupted`, after an error: the ledger determines whether to settle the payment again. */
export async function concludeFailure(
  facilitator: NetworkFacilitator,
  settlement: Settlement<"interrupted">,
): Promise<Settlement> {
  const { ledger, onError } = facilitator;
  const { payment, error } = settlement;
  const record = await ledger.store.findPayment(payment.id);
  const isOurs = record !== undefined && isRecorded(record, payment);
  if (isOurs && isRewound(record)) {
    // The network may have included the transaction after all.
    const use = (await payment.isUsed()) && (await followUse(facilitator, settlement));
    if (!use) return advance(settlement, "refused", { error: new PaymentError("chain_rewound") });
    await recordPayment(ledger, payment, "received");
    return use;
  }
  if (isOurs && record.state === "settling" && isNetworkError(error)) {
    onError(error);
    return advance(settlement, "networkSilent", { transaction: record.transaction });
  }
  if (!isOurs || !isPaymentError(error)) return advance(settlement, "refused", { error });
  if (record.transaction && error.reason === payment.usedReason) {
    // One of our transactions may have been included even though a node had rejected it.
    const use = await followUse(facilitator, settlement);
    if (use) return use;
  }
  // A payment without a record stays unrecorded, because otherwise anyone could fill the ledger. A payment in flight
  // isn't marked as failed.
  if (record.state === "received" || record.state === "verified" || record.state === "failed") {
    await changePayment(ledger, payment, { state: "failed", reason: error.reason });
  }
  return advance(settlement, "refused", { error });
}
