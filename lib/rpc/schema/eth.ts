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
import { defineMethod } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { newestBlock, ofBlock, ofTransaction } from "@/lib/rpc/schema/live";
import { blockShape, configShape, receiptShape, transactionShape } from "@/lib/rpc/shapes";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const unknownHash = "0x00000000000000000000000000000000000000000000000000000000deadbeef";
const fullTransactions = z
  .boolean()
  .nullish()
  .transform((full) => full ?? false);

export const eth_blockNumber = defineMethod({
  name: "eth_blockNumber",
  summary: "Number of the newest block.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  isForwarded: true,
  isMetered: true,
  examples: [{ summary: "The head", params: [] }],
});

export const eth_chainId = defineMethod({
  name: "eth_chainId",
  summary: "Chain id that transactions are signed for (EIP-155).",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: hexQuantity,
  isMetered: true,
  examples: [{ summary: "The chain id", params: [] }],
});

export const eth_syncing = defineMethod({
  name: "eth_syncing",
  summary: "False: a node that builds its own chain is never behind it.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: z.literal(false),
  isForwarded: true,
  examples: [{ summary: "Not syncing", params: [] }],
});

export const eth_accounts = defineMethod({
  name: "eth_accounts",
  summary: "Empty: the node holds no keys for its callers.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: z.array(hexAddress),
  examples: [{ summary: "No accounts", params: [] }],
});

export const eth_config = defineMethod({
  name: "eth_config",
  summary: "Fork rules in force, those that follow and the last that are scheduled (EIP-7910).",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
  result: configShape,
  isForwarded: true,
  examples: [{ summary: "The rules", params: [] }],
});

export const eth_getBalance = defineMethod({
  name: "eth_getBalance",
  summary: "Native balance of an account in wei at a block.",
  effect: "reads",
  paramNames: ["account", "block"],
  params: z.tuple([address, blockOrLatest]),
  result: hexQuantity,
  errors: [unknownBlock],
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "state",
  examples: [{ summary: "A funded developer account", params: [developer, "latest"] }],
});

export const eth_getCode = defineMethod({
  name: "eth_getCode",
  summary: "Code of an account at a block; a delegated account answers its EIP-7702 designator.",
  effect: "reads",
  paramNames: ["account", "block"],
  params: z.tuple([address, blockOrLatest]),
  result: hexData,
  errors: [unknownBlock],
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "state",
  examples: [{ summary: "The payment token", params: [token, "latest"] }],
});

export const eth_getStorageAt = defineMethod({
  name: "eth_getStorageAt",
  summary: "A storage slot of an account at a block, always 32 bytes.",
  effect: "reads",
  paramNames: ["account", "position", "block"],
  params: z.tuple([address, storageSlot, blockOrLatest]),
  result: hexHash,
  errors: [unknownBlock],
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "state",
  examples: [{ summary: "Slot 0 of the payment token", params: [token, "0x0", "latest"] }],
});

export const eth_getTransactionCount = defineMethod({
  name: "eth_getTransactionCount",
  summary: "Nonce of an account at a block; pending counts what waits in the pool without a gap.",
  effect: "reads",
  paramNames: ["account", "block"],
  params: z.tuple([address, blockOrLatest]),
  result: hexQuantity,
  errors: [unknownBlock],
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "state",
  examples: [{ summary: "Next nonce including the pool", params: [developer, "pending"] }],
});

export const eth_getBlockByNumber = defineMethod({
  name: "eth_getBlockByNumber",
  summary: "A block by number or tag, with transaction hashes or whole transactions; null where there is none.",
  effect: "reads",
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
});

export const eth_getBlockByHash = defineMethod({
  name: "eth_getBlockByHash",
  summary: "A block by hash, with transaction hashes or whole transactions; null where there is none.",
  effect: "reads",
  paramNames: ["block_hash", "return_full_txns"],
  params: z.tuple([blockRef, fullTransactions]),
  result: blockShape.nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "block",
  examples: [{ summary: "An unknown block", params: [unknownHash, false] }],
  toLiveExamples: ofBlock(newestBlock, ({ hash }) => [hash, false]),
});

export const eth_getBlockTransactionCountByNumber = defineMethod({
  name: "eth_getBlockTransactionCountByNumber",
  summary: "How many transactions a block has; null where there is no such block.",
  effect: "reads",
  paramNames: ["block_tag"],
  params: z.tuple([blockOrLatest]),
  result: hexQuantity.nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "block",
  examples: [{ summary: "Newest block", params: ["latest"] }],
});

export const eth_getBlockTransactionCountByHash = defineMethod({
  name: "eth_getBlockTransactionCountByHash",
  summary: "How many transactions a block has; null where there is no such block.",
  effect: "reads",
  paramNames: ["block_hash"],
  params: z.tuple([blockRef]),
  result: hexQuantity.nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "block",
  examples: [{ summary: "An unknown block", params: [unknownHash] }],
  toLiveExamples: ofBlock(newestBlock, ({ hash }) => [hash]),
});

export const eth_getBlockReceipts = defineMethod({
  name: "eth_getBlockReceipts",
  summary: "All receipts of a block in order; null where there is no such block.",
  effect: "reads",
  paramNames: ["block_id"],
  params: z.tuple([blockOrLatest]),
  result: z.array(receiptShape).nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "block",
  examples: [{ summary: "Newest block", params: ["latest"] }],
  toLiveExamples: ofBlock(newestBlock, ({ number }) => [number]),
});

export const eth_getTransactionByHash = defineMethod({
  name: "eth_getTransactionByHash",
  summary: "A transaction by hash, mined or waiting in the pool; null where it is neither.",
  effect: "reads",
  paramNames: ["tx_hash"],
  params: z.tuple([hash32]),
  result: transactionShape.nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "transaction",
  examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
  toLiveExamples: ofTransaction(),
});

export const eth_getTransactionByBlockHashAndIndex = defineMethod({
  name: "eth_getTransactionByBlockHashAndIndex",
  summary: "A transaction by block and index; null where either is missing.",
  effect: "reads",
  paramNames: ["block_hash", "index"],
  params: z.tuple([blockRef, safeInteger]),
  result: transactionShape.nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "block",
  examples: [{ summary: "In an unknown block", params: [unknownHash, "0x0"] }],
  toLiveExamples: ofBlock("The first of a block", ({ hash }) => [hash, "0x0"]),
});

export const eth_getTransactionByBlockNumberAndIndex = defineMethod({
  name: "eth_getTransactionByBlockNumberAndIndex",
  summary: "A transaction by block and index; null where either is missing.",
  effect: "reads",
  paramNames: ["block_tag", "index"],
  params: z.tuple([blockRef, safeInteger]),
  result: transactionShape.nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "block",
  examples: [{ summary: "First of the newest block", params: ["latest", "0x0"] }],
  toLiveExamples: ofBlock("The first of a block", ({ number }) => [number, "0x0"]),
});

export const eth_getTransactionReceipt = defineMethod({
  name: "eth_getTransactionReceipt",
  summary: "Receipt of a mined transaction; null until it is mined.",
  effect: "reads",
  paramNames: ["tx_hash"],
  params: z.tuple([hash32]),
  result: receiptShape.nullable(),
  isExported: true,
  isForwarded: true,
  isMetered: true,
  finalBy: "transaction",
  examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
  toLiveExamples: ofTransaction(),
});
