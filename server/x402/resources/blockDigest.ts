/** Sells a summary of the latest ten blocks for one cent. */
import { readBlockDigest } from "@/server/x402/resources/readBlockDigest";
import { defineResource } from "@/server/x402/resources/resource";

const blockCount = 10;

export const blockDigest = defineResource({
  name: "block-digest",
  title: "Block digest",
  description: `Transactions, gas, base fee, and most active recipients in the last ${blockCount} blocks.`,
  method: "GET",
  mimeType: "application/json",
  price: { scheme: "exact", amount: "$0.01", token: "dollar" },
  input: { type: "object", properties: {}, additionalProperties: false },
  toInput: () => undefined,
  serve: async (_, context) => ({ body: await readBlockDigest(context, blockCount) }),
});
