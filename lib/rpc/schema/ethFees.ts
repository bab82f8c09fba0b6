/** eth_ methods about prices: suggestions for new transactions, and what past blocks charged. */
import { z } from "zod";
import { blockOrLatest, hexQuantity, safeInteger } from "@/lib/rpc/codec";
import { defineMethod } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { feeHistoryShape } from "@/lib/rpc/shapes";

export const eth_gasPrice = defineMethod({
  name: "eth_gasPrice",
  summary: "Gas price in wei that a legacy transaction should offer: base fee and a tip.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  isForwarded: true,
  isMetered: true,
  examples: [{ summary: "Now", params: [] }],
});

export const eth_maxPriorityFeePerGas = defineMethod({
  name: "eth_maxPriorityFeePerGas",
  summary: "Tip in wei per gas that a transaction should offer.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  isForwarded: true,
  isMetered: true,
  examples: [{ summary: "Now", params: [] }],
});

export const eth_blobBaseFee = defineMethod({
  name: "eth_blobBaseFee",
  summary: "Base fee per blob gas of the next block in wei (EIP-7516).",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  isForwarded: true,
  examples: [{ summary: "Now", params: [] }],
});

export const eth_feeHistory = defineMethod({
  name: "eth_feeHistory",
  summary: "Base fees, fullness and tips at percentiles of a range of blocks, and the next base fee.",
  effect: "reads",
  paramNames: ["block_count", "newest_block", "reward_percentiles"],
  params: z.tuple([safeInteger, blockOrLatest, z.array(z.number()).max(100).nullish()]),
  result: feeHistoryShape,
  errors: [unknownBlock],
  limits: ["feeHistoryBlocks"],
  isForwarded: true,
  isMetered: true,
  finalBy: "fees",
  examples: [{ summary: "The last four blocks", params: ["0x4", "latest", [10, 50, 90]] }],
});
