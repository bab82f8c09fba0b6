/**
 * Executes calls without sending a transaction. If a call reverts, the method returns an error that includes the revert
 * data. An access list is returned even if the call fails.
 */

import { toQuantity } from "@/lib/units";
import { type CallRequest, callAt, createAccessListAt, estimateGasAt, estimateGasAtPrice } from "@/server/chain/calls";
import { findErrorCode, type RefusalReason } from "@/server/ethereum/errors";
import { intrinsicGas } from "@/server/ethereum/intrinsicGas";
import type { CallSource } from "@/server/ports/chain";
import { toQuery } from "@/server/rpc/callQuery";
import { toCallFailure } from "@/server/rpc/errors";
import { handlers } from "@/server/rpc/ports";

const callHandlers = handlers(["calls"], {
  eth_call: async ({ calls, network }, call, block, stateOverrides, blockOverrides) => {
    const result = await callAt(calls, toQuery(call, block, { stateOverrides, blockOverrides }));
    if (result.failure) throw toCallFailure(result, network.settings);
    return result.output;
  },

  eth_createAccessList: async ({ calls }, call, block, stateOverrides) => {
    try {
      const { accessList, result } = await createAccessListAt(calls, toQuery(call, block, { stateOverrides }));
      const gasUsed = toQuantity(result.gasUsed);
      return result.failure ? { accessList, gasUsed, error: result.failure.message } : { accessList, gasUsed };
    } catch (error) {
      if (!(error instanceof Error) || !unfinishedCodes.includes(findErrorCode(error))) throw error;
      return { accessList: call.accessList ?? [], gasUsed: "0x0", error: error.message };
    }
  },
});

export const executeHandlers = {
  ...callHandlers,
  ...handlers(["calls", "fees"], {
    eth_estimateGas: async ({ calls, fees, network }, call, block, stateOverrides) => {
      const query = toQuery(call, block, { stateOverrides });
      const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = query.call;
      const isPriced = gasPrice !== undefined || maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined;
      // Hardhat's node assumes the suggested price, as for a transaction.
      const done =
        network.settings.hardhat && !isPriced
          ? await estimateGasAtPrice(calls, query, { gasPrice: await fees.suggestGasPrice() })
          : await estimateGasAt(calls, query);
      if ("result" in done) throw toCallFailure(done.result, network.settings);
      return toQuantity(network.settings.hardhat ? toHardhatEstimate(calls, query.call, done.gas) : done.gas);
    },
  }),
};

/** Hardhat's estimate is always higher than the intrinsic gas: a transfer gets 21,001, and its suites expect that. */
function toHardhatEstimate({ spec, nextEnv }: CallSource, { input = "0x", ...call }: CallRequest, gas: bigint): bigint {
  const { intrinsic } = intrinsicGas(spec, nextEnv(), { ...call, input });
  return gas === intrinsic ? gas + 1n : gas;
}

/** Errors that end a valid call early, so that its access list is unknown. */
const unfinishedCodes: unknown[] = [
  "insufficient funds for gas * price + value",
  "intrinsic gas too low",
  "JOB_TIMEOUT",
] satisfies (RefusalReason | "JOB_TIMEOUT")[];
