/** Suggests fees for the next block, and returns the fee history of past blocks. */

import { toQuantity } from "@/lib/units";
import { toInvalidArgument, toLimitExceeded } from "@/server/rpc/errors";
import { handlers } from "@/server/rpc/ports";

export const feesHandlers = {
  ...handlers(["fees"], {
    eth_gasPrice: async ({ fees }) => toQuantity(await fees.suggestGasPrice()),
    eth_maxPriorityFeePerGas: async ({ fees }) => toQuantity(await fees.suggestTip()),
    eth_blobBaseFee: ({ fees }) => toQuantity(fees.blobBaseFee() ?? 0n),
  }),

  ...handlers(["chain", "fees"], {
    eth_feeHistory: async ({ chain, fees, limits }, count, ref, percentiles) => {
      if (count > limits.feeHistoryBlocks) {
        const why = `a fee history of ${count} blocks exceeds the limit of ${limits.feeHistoryBlocks}: request fewer blocks`;
        throw toLimitExceeded("feeHistoryBlocks", why);
      }
      const wanted = percentiles && percentiles.length > 0 ? percentiles : undefined;
      if (wanted) assertPercentiles(wanted);
      const newest = await chain.resolve(ref);
      const history = await fees.history({ count, newest, ...(wanted ? { percentiles: wanted } : {}) });
      return {
        oldestBlock: toQuantity(history.oldestBlock),
        baseFeePerGas: history.baseFeePerGas.map(toQuantity),
        gasUsedRatio: history.gasUsedRatio,
        baseFeePerBlobGas: history.baseFeePerBlobGas.map(toQuantity),
        blobGasUsedRatio: history.blobGasUsedRatio,
        ...(history.reward ? { reward: history.reward.map((row) => row.map(toQuantity)) } : {}),
      };
    },
  }),
};

/** Requires percentiles in ascending order (execution-apis). */
function assertPercentiles(percentiles: readonly number[]): void {
  percentiles.forEach((value, position) => {
    if (value < 0 || value > 100) throw toInvalidArgument(2, `percentile ${value} must be between 0 and 100`);
    if (value < (percentiles[position - 1] ?? 0)) throw toInvalidArgument(2, "percentiles must be in ascending order");
  });
}
