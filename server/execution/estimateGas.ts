/**
 * Finds the lowest gas limit at which a call succeeds. For most code, that is the gas spent in a run with the maximum
 * gas. Otherwise, bisection finds the limit.
 */

import { emptyAccount, type Message } from "@/server/ethereum/message";
import { untilComplete } from "@/server/ethereum/pending";
import { type Budget, unlimited } from "@/server/evm/budget";
import { atState, attempt, attemptWithGas, toCallResult, toMessage } from "@/server/execution/call";
import type { Engine } from "@/server/execution/engine";
import type { ExecutionStore } from "@/server/execution/state/overlay";
import type { EstimateGas, EstimateGasDone } from "@/server/ports/executor";

/**
 * Returns the smallest sufficient gas limit or, if the call fails even with the maximum gas, the call's result. Throws
 * InvalidTransactionError if the call is invalid.
 */
export function executeEstimateGas(
  job: EstimateGas,
  store: ExecutionStore,
  budget: Budget = unlimited,
): Promise<EstimateGasDone> {
  return atState(job, store, budget, (engine) => untilComplete(() => estimateAtOnce(engine, job)));
}

/** Throws PendingRead if a value must be fetched first. */
export function estimateAtOnce(engine: Engine, job: EstimateGas): EstimateGasDone {
  const message = toMessage(job.call);
  const limit = toAffordable(engine, message);
  const measured = attempt(engine, { ...message, gasLimit: limit });
  if (measured.failure) return { kind: "estimateGas", result: toCallResult(measured) };
  // With less gas than `gasNeeded`, a call would run out of gas. A creation is the exception: before Homestead, it
  // might still succeed.
  const { gasNeeded } = measured;
  if (gasNeeded !== undefined && message.to !== undefined) return { kind: "estimateGas", gas: gasNeeded };
  const succeeds = (gas: bigint) => {
    const applied = attemptWithGas(engine, message, gas);
    return applied !== undefined && !applied.failure;
  };
  // The limit must cover the gas spent, because refunds aren't paid before the end. It must also cover EIP-7623's
  // minimum, which may be higher.
  let spent = measured.gasSpent;
  if (spent < measured.gasUsed) spent = measured.gasUsed;
  return { kind: "estimateGas", gas: findLeast(spent, limit, succeeds) };
}

/**
 * The lowest gas limit at which the call succeeds. The call is known to succeed with `limit`, and `spent` is the best
 * guess.
 */
function findLeast(spent: bigint, limit: bigint, succeeds: (gas: bigint) => boolean): bigint {
  if (spent >= limit || succeeds(spent)) {
    // Code that reads its gas may take a cheaper path if it has less gas.
    return succeeds(spent - 1n) ? bisect(0n, spent - 1n, succeeds) : spent;
  }
  // EIP-150 withholds 1/64 of the gas at every call. A call with inner calls may therefore need a higher limit than the
  // gas that it spends.
  const withReserve = ((spent + 2_300n) * 64n) / 63n;
  const isEnough = withReserve < limit && succeeds(withReserve);
  return bisect(isEnough ? spent : withReserve < limit ? withReserve : spent, isEnough ? withReserve : limit, succeeds);
}

/** Bisects between a gas limit that fails and one that works. */
function bisect(fails: bigint, works: bigint, succeeds: (gas: bigint) => boolean): bigint {
  while (works - fails > 1n) {
    const middle = (works + fails) / 2n;
    if (succeeds(middle)) works = middle;
    else fails = middle;
  }
  return works;
}

/**
 * The maximum gas for the call: its gas limit, capped by EIP-7825 and, if the call has a gas price, by what the
 * sender's balance can pay for.
 */
function toAffordable(engine: Engine, message: Message): bigint {
  let limit = message.gasLimit;
  const { transactionGasCap } = engine.spec;
  if (transactionGasCap !== undefined && engine.has("osaka") && limit > transactionGasCap) limit = transactionGasCap;
  const price = message.maxFeePerGas ?? message.gasPrice ?? 0n;
  if (price === 0n) return limit;
  const { balance } = engine.overlay.state.findAccount(message.from) ?? emptyAccount;
  // The balance doesn't cover any gas in addition to the value, so the call itself fails.
  if (balance <= message.value) return limit;
  const affordable = (balance - message.value) / price;
  return affordable < limit ? affordable : limit;
}
