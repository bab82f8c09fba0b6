/**
 * eth_ methods that read the chain, its blocks and transactions, and state at a block. All of them answer from
 * committed data; none runs the EVM.
 */
import { z } from "zod";
import {
  address,
  blockOrLatest,
  blockRef,
  hash32,
  hexAddress,
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
    summary: "Number of the newest block.",
    result: hexQuantity,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "The head", params: [] }],
  },

  eth_chainId: {
    summary: "Chain id that transactions are signed for (EIP-155).",
    result: hexQuantity,
    isMetered: true,
    examples: [{ summary: "The chain id", params: [] }],
  },

  eth_syncing: {
    summary: "False: a node that builds its own chain is never behind it.",
    result: z.literal(false),
    isForwarded: true,
    examples: [{ summary: "Not syncing", params: [] }],
  },

  eth_accounts: {
    summary: "Empty: the node holds no keys for its callers.",
    result: z.array(hexAddress),
    examples: [{ summary: "No accounts", params: [] }],
  },

  eth_config: {
    summary: "Fork rules in force, those that follow and the last that are scheduled (EIP-7910).",
    result: configShape,
    isForwarded: true,
    examples: [{ summary: "The rules", params: [] }],
  },

  eth_getBalance: {
    summary: "Native balance of an account in wei at a block.",
    paramNames: ["account", "block"],
    params: z.tuple([address, blockOrLatest]),
    result: hexQuantity,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "state",
    examples: [{ summary: "A funded developer account", params: [developer, "latest"] }],
  },

  eth_getCode: {
    summary: "Code of an account at a block; a delegated account answers its EIP-7702 designator.",
    paramNames: ["account", "block"],
    params: z.tuple([address, blockOrLatest]),
    result: hexData,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "state",
    examples: [{ summary: "The payment token", params: [token, "latest"] }],
  },

  eth_getStorageAt: {
    summary: "A storage slot of an account at a block, always 32 bytes.",
    paramNames: ["account", "position", "block"],
    params: z.tuple([address, storageSlot, blockOrLatest]),
    result: hexHash,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "state",
    examples: [{ summary: "Slot 0 of the payment token", params: [token, "0x0", "latest"] }],
  },

  eth_getTransactionCount: {
    summary: "Nonce of an account at a block; pending counts what waits in the pool without a gap.",
    paramNames: ["account", "block"],
    params: z.tuple([address, blockOrLatest]),
    result: hexQuantity,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "state",
    examples: [{ summary: "Next nonce including the pool", params: [developer, "pending"] }],
  },

  eth_getBlockByNumber: {
    summary: "A block by number or tag, with transaction hashes or whole transactions; null where there is none.",
    paramNames: ["block_number", "return_full_txns"],
    params: z.tuple([blockRef, fullTransactions]),
    result: blockShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [
      { summary: "Genesis", params: ["earliest", false] },
      { summary: "Newest block with transactions", params: ["latest", true] },
    ],
    toLiveExamples: async ({ block }) => {
      const found = await block();
      return [
        { summary: "Newest block with transactions", params: ["latest", true] },
        ...(found ? [{ summary: newestBlock, params: [found.number, false] }] : []),
        { summary: "Genesis", params: ["earliest", false] },
      ];
    },
  },

  eth_getBlockByHash: {
    summary: "A block by hash, with transaction hashes or whole transactions; null where there is none.",
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
    summary: "How many transactions a block has; null where there is no such block.",
    paramNames: ["block_tag"],
    params: z.tuple([blockOrLatest]),
    result: hexQuantity.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "Newest block", params: ["latest"] }],
  },

  eth_getBlockTransactionCountByHash: {
    summary: "How many transactions a block has; null where there is no such block.",
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
    summary: "All receipts of a block in order; null where there is no such block.",
    paramNames: ["block_id"],
    params: z.tuple([blockOrLatest]),
    result: z.array(receiptShape).nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "Newest block", params: ["latest"] }],
    toLiveExamples: ofBlock(newestBlock, ({ number }) => [number]),
  },

  eth_getTransactionByHash: {
    summary: "A transaction by hash, mined or waiting in the pool; null where it is neither.",
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
    summary: "A transaction by block and index; null where either is missing.",
    paramNames: ["block_hash", "index"],
    params: z.tuple([blockRef, safeInteger]),
    result: transactionShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "In an unknown block", params: [unknownHash, "0x0"] }],
    toLiveExamples: ofBlock("The first of a block", ({ hash }) => [hash, "0x0"]),
  },

  eth_getTransactionByBlockNumberAndIndex: {
    summary: "A transaction by block and index; null where either is missing.",
    paramNames: ["block_tag", "index"],
    params: z.tuple([blockRef, safeInteger]),
    result: transactionShape.nullable(),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    finalBy: "block",
    examples: [{ summary: "First of the newest block", params: ["latest", "0x0"] }],
    toLiveExamples: ofBlock("The first of a block", ({ number }) => [number, "0x0"]),
  },

  eth_getTransactionReceipt: {
    summary: "Receipt of a mined transaction; null until it is mined.",
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
