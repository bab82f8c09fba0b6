/**
 * txpool_ methods and eth_pendingTransactions. They return pending transactions, and the status of submitted
 * transactions. The pool remembers removed transactions only for a while.
 */
import { z } from "zod";
import { address, hash32, hexHash, hexQuantity } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { ofTransaction } from "@/lib/rpc/schema/live";
import { transactionShape } from "@/lib/rpc/shapes";

const poolStatusWord = z.enum(["pending", "queued", "replaced", "dropped", "expired", "mined", "unknown"]);

/** Transactions keyed by sender, then by decimal nonce, as in geth. */
const bySender = <Entry extends z.ZodType>(entry: Entry) => {
  const senders = z.record(z.string(), z.record(z.string(), entry));
  return z.strictObject({ pending: senders, queued: senders });
};

export const txpoolMethods = defineMethods("reads", {
  txpool_statusByHash: {
    summary: "Returns a submitted transaction's status, and the reason if it is queued or was removed from the pool.",
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
    summary: "Returns a sender's transactions that are in the pool now, keyed by hex nonce; {} if there are none.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: z.record(
      z.string(),
      z.strictObject({ status: poolStatusWord, reason: z.string().optional(), hash: hexHash }),
    ),
    isExported: true,
    examples: [{ summary: "A developer account", params: ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"] }],
  },

  eth_pendingTransactions: {
    summary: "Returns all pending and queued transactions as one list, as Hardhat's node does.",
    result: z.array(transactionShape),
    examples: [{ summary: "Now", params: [] }],
  },

  txpool_content: {
    summary: "Returns all pending and queued transactions, by sender and nonce; queued ones have a nonce gap.",
    result: bySender(transactionShape),
    examples: [{ summary: "Now", params: [] }],
  },

  txpool_inspect: {
    summary: "Returns a one-line summary of each pending and queued transaction, by sender and nonce.",
    result: bySender(z.string()),
    examples: [{ summary: "Now", params: [] }],
  },

  txpool_status: {
    summary: "Returns the number of pending and queued transactions.",
    result: z.strictObject({ pending: hexQuantity, queued: hexQuantity }),
    isExported: true,
    examples: [{ summary: "Now", params: [] }],
  },
});
