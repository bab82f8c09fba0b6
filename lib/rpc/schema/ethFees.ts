/** eth_ methods for fees: suggestions for new transactions, and the fees of past blocks. */
import { z } from "zod";
import { blockOrLatest, hexQuantity, safeInteger } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { feeHistoryShape } from "@/lib/rpc/shapes";

export const ethFeesMethods = defineMethods("reads", {
  eth_gasPrice: {
    summary: "Suggests a gas price for legacy transactions, in wei: base fee plus priority fee.",
    result: hexQuantity,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "Now", params: [] }],
  },

  eth_maxPriorityFeePerGas: {
    summary: "Suggests a max priority fee per gas, in wei.",
    result: hexQuantity,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "Now", params: [] }],
  },

  eth_blobBaseFee: {
    summary: "Returns the base fee per blob gas of the next block, in wei (EIP-7516).",
    result: hexQuantity,
    isForwarded: true,
    examples: [{ summary: "Now", params: [] }],
  },

  eth_feeHistory: {
    summary:
      "Returns base fees, gas used ratios and priority fee percentiles for a range of blocks, and the next base fee.",
    paramNames: ["block_count", "newest_block", "reward_percentiles"],
    params: z.tuple([safeInteger, blockOrLatest, z.array(z.number()).max(100).nullish()]),
    result: feeHistoryShape,
    errors: [unknownBlock],
    limits: ["feeHistoryBlocks"],
    isForwarded: true,
    isMetered: true,
    finalBy: "fees",
    examples: [{ summary: "Last four blocks", params: ["0x4", "latest", [10, 50, 90]] }],
  },
});
