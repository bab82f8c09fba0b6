/**
 * Both tiers of the machine for tests: code that is interpreted, and code that is compiled before it runs at all. Init
 * code is interpreted on either. Invariant: whoever forces a tier gives the usual one back.
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

/** Does the work on the tier. */
export async function onTier<T>(tier: TierName, work: () => Promise<T>): Promise<T> {
  setTier(tiers[tier]);
  try {
    return await work();
  } finally {
    setTier(usualLimits);
  }
}

/** Holds compiled code against the interpreter, what they note of gas included. */
export const tierEngines: FuzzEngines = {
  async reference(evmCase, steps) {
    const outcome = await onTier("interpreted", () => runOwnInFull(evmCase));
    if (steps) await traceSteps(evmCase, steps);
    return outcome;
  },
  engine: (evmCase) => onTier("compiled", () => runOwnInFull(evmCase)),
};

/** What the outermost frame had used before each of its instructions. */
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
