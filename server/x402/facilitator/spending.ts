/**
 * Limits the gas that payers can make the facilitator spend: a minimum amount, allowed payees, a daily gas budget per
 * payer, and waits after reverts. Budgets and waits are in the store, so all instances share them.
 */
import { parseUnits } from "viem";
import { isSameAddress } from "@/lib/contracts";
import type { Hex } from "@/lib/x402/types";
import type { RateStore } from "@/server/ports/store";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";
import { PaymentError } from "@/server/x402/reads/error";
import type { SchemeNetwork } from "@/server/x402/schemes/scheme";

export type SpendingPolicy = {
  /** The smallest amount that is settled, in whole tokens as a decimal string. */
  minAmount: string;
  /** The only payees that may receive payments. If undefined, all payees may. Refunds are always settled. */
  payees?: readonly Hex[] | undefined;
  /** How much gas one payer's settlements may use per day. If undefined, there is no limit. */
  payerGas?: number;
  /** Maximum gas for a settlement whose payer is a contract. */
  contractGas: number;
  /** How many reverts a day cause no wait, and how long the first wait is. Each further revert doubles the wait. */
  freeReverts: number;
  revertWaitMs: number;
};

/** Limits for chains where gas costs nothing. Only an attack reaches them. */
export const localPolicy: SpendingPolicy = {
  minAmount: "0",
  contractGas: 1_000_000,
  freeReverts: 3,
  revertWaitMs: 1_000,
};

/** The waits for chains where gas costs real money. The operator sets the other limits. */
export const remoteWaits = { freeReverts: 0, revertWaitMs: 60_000 };

export type Spending = { policy: SpendingPolicy; store: RateStore; network: Pick<SchemeNetwork, "caip2" | "tokens"> };

const daySeconds = 86_400;
const maxPayerWaitMs = daySeconds * 1_000;
/**
 * The longest wait for a payee. It is shorter than a payer's, because anyone can make a settlement to a payee revert.
 */
const maxPayeeWaitMs = 900_000;
/** Separates these records from other limits in the store. */
const scope = "spending";
/**
 * Each revert takes 86,400 units from a bucket that regains one unit per second, so a revert is forgotten after a day.
 */
const reverts = { perSecond: 1, burst: 20 * daySeconds };

/** Throws PaymentError if the policy doesn't allow the payment's amount or payee. */
export function assertAllowed({ policy, network }: Spending, { terms, refundOf }: FacilitatorPayment): void {
  if (refundOf) return;
  const { asset, payee, chargeUnits } = terms;
  const token = network.tokens.find(({ address }) => isSameAddress(address, asset));
  if (token && chargeUnits < parseUnits(policy.minAmount, token.decimals)) {
    throw new PaymentError(
      "amount_below_minimum",
      `The amount is ${chargeUnits} units of ${token.symbol}; this facilitator settles ${policy.minAmount} ${token.symbol} or more.`,
    );
  }
  if (policy.payees && !policy.payees.some((each) => isSameAddress(each, payee))) {
    throw new PaymentError("payee_not_allowed", `This facilitator doesn't settle payments to ${payee}.`);
  }
}

/**
 * Throws PaymentError if the payer has to wait because its settlements reverted. A payee's wait applies only to payers
 * that are contracts. Otherwise, an attacker could keep everyone from paying that payee.
 */
export async function assertNotWaiting(
  spending: Spending,
  { terms: { payer, payee } }: FacilitatorPayment,
  payerHasCode: boolean,
): Promise<void> {
  const [payerMs, payeeMs] = await Promise.all([
    findWaitMs(spending, "payer", payer, maxPayerWaitMs),
    payerHasCode ? findWaitMs(spending, "payee", payee, maxPayeeWaitMs) : 0,
  ]);
  const waitMs = Math.max(payerMs, payeeMs);
  if (waitMs <= 0) return;
  const who = payerMs >= payeeMs ? `from payer ${payer}` : `from contracts to payee ${payee}`;
  throw new PaymentError("settlement_backoff", `Settlements ${who} reverted. ${toRetry(Math.ceil(waitMs / 1_000))}`);
}

/**
 * Throws PaymentError if the payer's remaining budget doesn't cover the gas. For "settle", the gas is deducted from the
 * budget.
 */
export async function assertBudget(
  { policy, store, network }: Spending,
  { terms: { payer } }: FacilitatorPayment,
  gas: bigint,
  purpose: "verify" | "settle",
): Promise<void> {
  const { payerGas } = policy;
  if (payerGas === undefined) return;
  const perSecond = Math.ceil(payerGas / daySeconds);
  const client = `${scope} gas ${network.caip2} ${payer}`;
  const cost = Number(gas);
  let waitSeconds: number;
  if (purpose === "settle") waitSeconds = await store.takeRequest({ client, perSecond, burst: payerGas, cost });
  else {
    const { left, ageMs } = (await store.findBucket(client)) ?? { left: cost, ageMs: 0 };
    waitSeconds = Math.ceil((cost - left) / perSecond - ageMs / 1_000);
  }
  if (waitSeconds <= 0) return;
  throw new PaymentError(
    "gas_budget_exceeded",
    `This facilitator pays for up to ${payerGas} gas per payer per day, and ${payer} has used it up. ${toRetry(waitSeconds)}`,
  );
}

/** Counts a reverted settlement toward the waits of its payer and its payee. */
export async function recordRevert({ store, network }: Spending, { terms }: FacilitatorPayment): Promise<void> {
  for (const role of ["payer", "payee"] as const) {
    await store.takeRequest({ ...toRevertBucket(network.caip2, role, terms[role]), cost: daySeconds });
  }
}

/** Deletes the records of payers and payees that did nothing for a day. */
export function forgetIdle({ store }: Spending): Promise<void> {
  return store.deleteFullBuckets(scope, maxPayerWaitMs);
}

/** Returns the part of the policy that GET /supported shows. */
export function toPublicPolicy({ minAmount, payees, payerGas, contractGas }: SpendingPolicy) {
  return {
    minAmount,
    ...(payerGas !== undefined && { payerGasPerDay: payerGas }),
    contractPayerGas: contractGas,
    ...(payees && { payees }),
  };
}

async function findWaitMs(
  { policy, store, network }: Spending,
  role: "payer" | "payee",
  address: Hex,
  maxMs: number,
): Promise<number> {
  const found = await store.findBucket(toRevertBucket(network.caip2, role, address).client);
  if (!found) return 0;
  const { left, ageMs } = found;
  const count = (reverts.burst - left) / daySeconds - policy.freeReverts;
  return count > 0 ? Math.min(policy.revertWaitMs * 2 ** (count - 1), maxMs) - ageMs : 0;
}

const toRevertBucket = (caip2: string, role: "payer" | "payee", address: Hex) => ({
  client: `${scope} reverts ${caip2} ${role} ${address}`,
  ...reverts,
});

const toRetry = (seconds: number) => `Try again in ${seconds} seconds.`;
