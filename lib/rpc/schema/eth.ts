/** eth_ methods that read blocks, transactions and state. They read committed data and never run the EVM. */
import { z } from "zod";
import {
  address,
  blockOrLatest,
  blockRef,
  hash32,
  hexData,
  hexHash,
  hexQuantity,
  safeInteger,
  storageSlot,
} from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { developer, token, unknownHash } from "@/lib/rpc/schema/exampleValues";
import { newestBlock, ofBlock, ofTransaction } from "@/lib/rpc/schema/live";
import { blockShape, configShape, receiptShape, transactionShape } from "@/lib/rpc/shapes";

const fullTransactions = z
  .boolean()
  .nullish()
  .transform((full) => full ?? false);

export const ethMethods = defineMethods("reads", {
  eth_blockNumber: {
    summary: "Returns the number of the latest block.",
    result: hexQuantity,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "Latest block number", params: [] }],
  },

  eth_chainId: {
    summary: "Returns the chain ID that transactions are signed for (EIP-155).",
    result: hexQuantity,
    isMetered: true,
    examples: [{ summary: "Chain ID", params: [] }],
  },

  eth_syncing: {
    summary: "Returns false: a local chain never has to sync. A remote network returns its node's own status.",
    result: z.union([
      z.literal(false),
      z.looseObject({ startingBlock: hexQuantity, currentBlock: hexQuantity, highestBlock: hexQuantity }),
    ]),
    isForwarded: true,
    examples: [{ summary: "Not syncing", params: [] }],
  },

  eth_config: {
    summary: "Returns the current, next and last scheduled fork configurations (EIP-7910).",
    result: configShape,
    isForwarded: true,
    examples: [{ summary: "Fork configuration", params: [] }],
  },

  eth_getBalance: {
    summary: "Returns an account's native balance at a block, in wei.",
    paramNames: ["account", "block"],
    params: z.tuple([address, blockOrLatest]),
    result: hexQuantity,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "value",
    examples: [{ summary: "A funded developer account", params: [developer, "latest"] }],
  },

  eth_getCode: {
    summary: "Returns an account's code at a block; for a delegated account, its EIP-7702 delegation designator.",
    paramNames: ["account", "block"],
    params: z.tuple([address, blockOrLatest]),
    result: hexData,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "code",
    examples: [{ summary: "The payment token", params: [token, "latest"] }],
  },

  eth_getStorageAt: {
    summary: "Returns the 32-byte value of a storage slot at a block.",
    paramNames: ["account", "position", "block"],
    params: z.tuple([address, storageSlot, blockOrLatest]),
    result: hexHash,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "value",
    examples: [{ summary: "Slot 0 of the payment token", params: [token, "0x0", "latest"] }],
  },

  eth_getTransactionCount: {
    summary:
      "Returns an account's nonce at a block; at \"pending\", it also counts the account's executable transactions in the pool.",
    paramNames: ["account", "block"],
    params: z.tuple([address, blockOrLatest]),
    result: hexQuantity,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "value",
    examples: [{ summary: "Next nonce, including the pool", params: [developer, "pending"] }],
  },

  eth_getBlockByNumber: {
    summary: "Returns a block by number or tag, with transaction hashes or full transactions; null if not found.",
    paramNames: ["block_number", "return_full_txns"],
    params: z.tuple([blockOrLatest, fullTransactions]),
    result: blockShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [
      { summary: "Genesis", params: ["earliest", false] },
      { summary: "Latest block with full transactions", params: ["latest", true] },
    ],
    toLiveExamples: async ({ block }) => {
      const found = await block();
      return [
        { summary: "Latest block with full transactions", params: ["latest", true] },
        ...(found ? [{ summary: newestBlock, params: [found.number, false] }] : []),
        { summary: "Genesis", params: ["earliest", false] },
      ];
    },
  },

  eth_getBlockByHash: {
    summary: "Returns a block by hash, with transaction hashes or full transactions; null if not found.",
    paramNames: ["block_hash", "return_full_txns"],
    params: z.tuple([blockRef, fullTransactions]),
    result: blockShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "An unknown block", params: [unknownHash, false] }],
    toLiveExamples: ofBlock(newestBlock, ({ hash }) => [hash, false]),
  },

  eth_getBlockTransactionCountByNumber: {
    summary: "Returns the number of transactions in a block by number or tag; null if not found.",
    paramNames: ["block_tag"],
    params: z.tuple([blockOrLatest]),
    result: hexQuantity.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "Latest block", params: ["latest"] }],
  },

  eth_getBlockTransactionCountByHash: {
    summary: "Returns the number of transactions in a block by hash; null if not found.",
    paramNames: ["block_hash"],
    params: z.tuple([blockRef]),
    result: hexQuantity.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "An unknown block", params: [unknownHash] }],
    toLiveExamples: ofBlock(newestBlock, ({ hash }) => [hash]),
  },

  eth_getBlockReceipts: {
    summary: "Returns all receipts of a block, in order; null if the block isn't found.",
    paramNames: ["block_id"],
    params: z.tuple([blockOrLatest]),
    result: z.array(receiptShape).nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "Latest block", params: ["latest"] }],
    toLiveExamples: ofBlock(newestBlock, ({ number }) => [number]),
  },

  eth_getTransactionByHash: {
    summary: "Returns a mined or pending transaction by hash; null if not found.",
    paramNames: ["tx_hash"],
    params: z.tuple([hash32]),
    result: transactionShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "transaction",
    examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
    toLiveExamples: ofTransaction(),
  },

  eth_getTransactionByBlockHashAndIndex: {
    summary: "Returns a transaction by block hash and index; null if not found.",
    paramNames: ["block_hash", "index"],
    params: z.tuple([blockRef, safeInteger]),
    result: transactionShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "In an unknown block", params: [unknownHash, "0x0"] }],
    toLiveExamples: ofBlock("First transaction in a block", ({ hash }) => [hash, "0x0"]),
  },

  eth_getTransactionByBlockNumberAndIndex: {
    summary: "Returns a transaction by block number or tag and index; null if not found.",
    paramNames: ["block_tag", "index"],
    params: z.tuple([blockRef, safeInteger]),
    result: transactionShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "First transaction in the latest block", params: ["latest", "0x0"] }],
    toLiveExamples: ofBlock("First transaction in a block", ({ number }) => [number, "0x0"]),
  },

  eth_getTransactionReceipt: {
    summary: "Returns a transaction's receipt; null until it is mined.",
    paramNames: ["tx_hash"],
    params: z.tuple([hash32]),
    result: receiptShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "transaction",
    examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
    toLiveExamples: ofTransaction(),
  },
});
