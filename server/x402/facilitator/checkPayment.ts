/**
 * The checks that /verify, /settle and direct settlement run on a payment, in order. The last check reserves the
 * amount, so that the payer can't spend the same balance twice.
 */
import { erc20Abi } from "@/lib/abi/erc20";
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import { assertIdentifier } from "@/server/x402/facilitator/ledger";
import type { NetworkFacilitator } from "@/server/x402/facilitator/networkFacilitator";
import { type FacilitatorPayment, isDone, restorePayment, toUsedError } from "@/server/x402/facilitator/payment";
import { simulate } from "@/server/x402/facilitator/simulations";
import { assertAllowed, assertBudget, assertNotWaiting } from "@/server/x402/facilitator/spending";
import { PaymentError } from "@/server/x402/reads/error";
import type { Reader } from "@/server/x402/reads/reader";
import type { Approval, Authorization, Payment } from "@/server/x402/schemes/scheme";

/** `gas` is undefined if it can't be estimated until the payment's approval has been sent. */
type CheckedPayment = { authorization: Authorization; gas: bigint | undefined };

/** Throws PaymentError if the payment can't be settled now, or NetworkError. */
export async function checkPayment(
  facilitator: NetworkFacilitator,
  payment: FacilitatorPayment,
  purpose: "verify" | "settle",
): Promise<CheckedPayment> {
  const { store } = facilitator.ledger;
  const { spending } = facilitator;
  assertAllowed(spending, payment);
  const [record, authorization] = await Promise.all([
    store.findPayment(payment.id),
    payment.authorize(),
    assertIdentifier(store, payment),
    facilitator.topUpGas(),
  ]);
  assertUnsettled(record, payment);
  await assertNotWaiting(spending, payment, authorization.payerHasCode);
  const gas = await assertSettles(facilitator, payment, authorization, purpose);
  await reserveAmount(facilitator, payment);
  return { authorization, gas };
}

/** Throws PaymentError if the balance doesn't cover this payment and the payer's other payments. */
export async function reserveAmount(facilitator: NetworkFacilitator, payment: FacilitatorPayment): Promise<void> {
  const { reservations, network, ledger } = facilitator;
  const balance = await reservations.hold(payment, {
    nowMs: ledger.nowMs(),
    findBalance: () => findBalance(network.reader, payment),
    isReflected: (id) => isReflected(facilitator, id),
  });
  if (balance === undefined) return;
  throw new PaymentError(
    "insufficient_funds",
    `The payer's balance of ${balance} units, minus its pending payments, is below the required ${payment.terms.amountUnits}.`,
  );
}

/** Whether the payer's balance already reflects a recorded payment, no matter who sent its transaction. */
async function isReflected({ network, ledger }: NetworkFacilitator, id: Hex): Promise<boolean> {
  const record = await ledger.store.findPayment(id);
  return record !== undefined && (isDone(record) || restorePayment(network, record).isUsed());
}

/**
 * Returns the account that the simulation uses as the sender. If any account may send the payment, the batcher may use
 * a less busy one.
 */
export function getSender({ network }: NetworkFacilitator, { sender }: Payment): Hex {
  return sender ?? network.facilitators[0];
}

function assertUnsettled(record: PaymentRecord | undefined, payment: Payment): void {
  if (record && isDone(record)) throw toUsedError(payment, record.transaction);
}

/**
 * Simulates the settlement and returns its gas, after checking that gas against the facilitator's limit and the payer's
 * budget. Returns undefined if the payment includes an approval.
 */
async function assertSettles(
  facilitator: NetworkFacilitator,
  payment: FacilitatorPayment,
  authorization: Authorization,
  purpose: "verify" | "settle",
): Promise<bigint | undefined> {
  const { network, simulations } = facilitator;
  const from = getSender(facilitator, payment);
  const { call, approval } = authorization;
  if (!approval) {
    const gas = await simulate(simulations, payment, authorization, from, purpose);
    await assertGas(facilitator, payment, authorization, gas, purpose);
    return gas;
  }
  await assertSettlesAfter(network.reader, payment, approval, { ...call, from });
  return undefined;
}

/** Throws PaymentError if the settlement needs more gas than the facilitator pays for. */
export async function assertGas(
  { maxGas, spending }: NetworkFacilitator,
  payment: FacilitatorPayment,
  { payerHasCode }: Pick<Authorization, "payerHasCode">,
  gas: bigint,
  purpose: "verify" | "settle",
): Promise<void> {
  const contractGas = BigInt(spending.policy.contractGas);
  const most = payerHasCode && contractGas < maxGas ? contractGas : maxGas;
  if (gas > most) {
    throw new PaymentError(
      payment.simulationReason,
      `The settlement needs ${gas} gas; this facilitator pays for at most ${most}${payerHasCode ? " if the payer is a contract" : ""}.`,
    );
  }
  await assertBudget(spending, payment, gas, purpose);
}

/** Simulates the approval and the settlement in order, without sending them. */
async function assertSettlesAfter(
  reader: Reader,
  payment: Payment,
  approval: Approval,
  call: Authorization["call"],
): Promise<void> {
  const [approved, settled] = (await reader.simulateInTurn([approval.call, call])) ?? [
    await reader.simulate(approval.call),
  ];
  if (!approved?.ok) throw new PaymentError("erc20_approval_tx_failed");
  if (settled?.ok) return;
  if (settled) {
    const error = await payment.explain(settled.revert);
    // The approval is not in a block yet, so a missing allowance doesn't explain the revert.
    throw error.reason === "permit2_allowance_required" ? new PaymentError(payment.simulationReason) : error;
  }
  // The network can't simulate both calls together, so the on-chain rules are checked instead.
  const error = await payment.findChainError();
  if (error) throw error;
}

function findBalance(reader: Reader, { terms: { asset, payer } }: Payment): Promise<bigint | undefined> {
  return reader.findValue(asset, erc20Abi, "balanceOf", [payer]);
}
