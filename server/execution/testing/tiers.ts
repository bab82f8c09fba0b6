/**
 * For tests: forces one tier of the machine, so that all code is either interpreted or compiled before its first run.
 * Init code is always interpreted. Invariant: the usual limits are restored afterward.
 */

import type { Listener } from "@/server/evm/listener";
import { compileAtOnce, noTier, usualLimits } from "@/server/evm/tier/tier";
import { setTier } from "@/server/execution/engine";
import type { EvmCase, EvmOutcome } from "@/server/execution/testing/evmCase";
import type { FuzzEngines } from "@/server/execution/testing/fuzzEvm";
import { runOwnInFull } from "@/server/execution/testing/ownEvm";
import type { GasSteps } from "@/server/execution/testing/referenceEvm";

export const tiers = { interpreted: noTier, compiled: compileAtOnce } as const;
export type TierName = keyof typeof tiers;

/** Runs the work on the tier. */
export async function onTier<T>(tier: TierName, work: () => Promise<T>): Promise<T> {
  setTier(tiers[tier]);
  try {
    return await work();
  } finally {
    setTier(usualLimits);
  }
}

/** Compares compiled code with the interpreter, including `gasNeeded`. */
export const tierEngines: FuzzEngines = {
  async reference(evmCase, steps) {
    const outcome = await onTier("interpreted", () => runOwnInFull(evmCase));
    if (steps) await traceSteps(evmCase, steps);
    return outcome;
  },
  engine: (evmCase) => onTier("compiled", () => runOwnInFull(evmCase)),
};

/** Records the gas that the outermost frame had used before each of its instructions. */
function traceSteps(evmCase: EvmCase, steps: GasSteps): Promise<EvmOutcome> {
  let given: number | undefined;
  const listener: Listener = {
    watch: "all",
    begin: () => {},
    step({ depth, gas }) {
      if (depth !== 0) return;
      given ??= gas;
      steps.push(BigInt(given - gas));
    },
  };
  return runOwnInFull(evmCase, { listener });
}
