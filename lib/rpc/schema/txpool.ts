/**
 * txpool_ methods: pending transactions, and what became of a sent one. The pool remembers transactions that left it
 * for a while; after that, only mined ones are known.
 */
import { z } from "zod";
import { address, hash32, hexHash, hexQuantity } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { ofTransaction } from "@/lib/rpc/schema/live";
import { transactionShape } from "@/lib/rpc/shapes";

const poolStatusWord = z.enum(["pending", "queued", "replaced", "dropped", "expired", "mined", "unknown"]);

/** By sender, then by decimal nonce, as geth answers. */
const bySender = <Entry extends z.ZodType>(entry: Entry) => {
  const senders = z.record(z.string(), z.record(z.string(), entry));
  return z.strictObject({ pending: senders, queued: senders });
};

export const txpoolMethods = defineMethods("reads", {
  txpool_statusByHash: {
    summary: "Where a sent transaction stands, and why if it was refused or waits for an earlier nonce.",
    paramNames: ["hash"],
    params: z.tuple([hash32]),
    result: z.strictObject({ status: poolStatusWord, reason: z.string().optional() }),
    isExported: true,
    examples: [
      {
        summary: "An unknown transaction",
        params: ["0x00000000000000000000000000000000000000000000000000000000deadbeef"],
      },
    ],
    toLiveExamples: ofTransaction(),
  },

  txpool_statusByAddress: {
    summary: "Transactions of a sender that the pool holds or remembers, by nonce in hex.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: z.record(
      z.string(),
      z.strictObject({ status: poolStatusWord, reason: z.string().optional(), hash: hexHash }),
    ),
    isExported: true,
    examples: [{ summary: "A developer account", params: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"] }],
  },

  txpool_content: {
    summary:
      "Every transaction that waits, by sender and nonce; queued are those that an earlier nonce is missing for.",
    result: bySender(transactionShape),
    examples: [{ summary: "Now", params: [] }],
  },

  txpool_inspect: {
    summary: "Every transaction that waits, in a line each, by sender and nonce.",
    result: bySender(z.string()),
    examples: [{ summary: "Now", params: [] }],
  },

  txpool_status: {
    summary: "How many transactions wait.",
    result: z.strictObject({ pending: hexQuantity, queued: hexQuantity }),
    isExported: true,
    examples: [{ summary: "Now", params: [] }],
  },
});
