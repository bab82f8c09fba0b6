/** eth_ methods about prices: suggestions for new transactions, and what past blocks charged. */
import { z } from "zod";
import { blockOrLatest, hexQuantity, safeInteger } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { feeHistoryShape } from "@/lib/rpc/shapes";

export const ethFeesMethods = defineMethods("reads", {
  eth_gasPrice: {
    summary: "Gas price in wei that a legacy transaction should offer: base fee and a tip.",
    result: hexQuantity,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "Now", params: [] }],
  },

  eth_maxPriorityFeePerGas: {
    summary: "Tip in wei per gas that a transaction should offer.",
    result: hexQuantity,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "Now", params: [] }],
  },

  eth_blobBaseFee: {
    summary: "Base fee per blob gas of the next block in wei (EIP-7516).",
    result: hexQuantity,
    isForwarded: true,
    examples: [{ summary: "Now", params: [] }],
  },

  eth_feeHistory: {
    summary: "Base fees, fullness and tips at percentiles of a range of blocks, and the next base fee.",
    paramNames: ["block_count", "newest_block", "reward_percentiles"],
    params: z.tuple([safeInteger, blockOrLatest, z.array(z.number()).max(100).nullish()]),
    result: feeHistoryShape,
    errors: [unknownBlock],
    limits: ["feeHistoryBlocks"],
    isForwarded: true,
    isMetered: true,
    finalBy: "fees",
    examples: [{ summary: "The last four blocks", params: ["0x4", "latest", [10, 50, 90]] }],
  },
});
