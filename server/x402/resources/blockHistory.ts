/**
 * Sells data about the latest blocks, priced per block. The payer permits the maximum and is charged only for the
 * blocks that exist.
 */

import { readBlockDigest } from "@/server/x402/resources/readBlockDigest";
import { getInteger } from "@/server/x402/resources/readQuery";
import { defineResource } from "@/server/x402/resources/resource";

const maxBlocks = 100;

export const blockHistory = defineResource({
  name: "block-history",
  title: "Block history",
  description: `Gas and base fee per block, for up to ${maxBlocks} recent blocks.`,
  method: "GET",
  mimeType: "application/json",
  price: { scheme: "upto", amount: "$0.05", unit: "block", unitAmount: "$0.0005" },
  input: {
    type: "object",
    properties: { blocks: { type: "integer", minimum: 1, maximum: maxBlocks, default: 10 } },
  },
  exampleQuery: { blocks: "10" },
  toInput: (request) => getInteger(request, "blocks", { min: 1, max: maxBlocks, fallback: 10 }),
  async serve(count, context) {
    const { blocks } = await readBlockDigest(context, count);
    return { body: { network: context.network.name, blocks }, count: blocks.length };
  },
});
