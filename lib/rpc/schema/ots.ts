/**
 * The methods that the Otterscan block explorer calls: the ots_ methods and one Erigon method. Results have the same
 * shape as in Erigon and anvil.
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
} from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock, unknownTransaction } from "@/lib/rpc/schema/errors";
import { developer, token, unknownHash } from "@/lib/rpc/schema/exampleValues";
import { runLimits } from "@/lib/rpc/schema/limits";
import { ofBlock, ofTransaction } from "@/lib/rpc/schema/live";
import { blockShape, headerShape, receiptShape, transactionShape } from "@/lib/rpc/shapes";

/** Otterscan sends block numbers as JSON integers. */
const block = z.union([z.int().nonnegative(), blockRef]);
const pageSize = safeInteger.refine((size) => size >= 1 && size <= 100, "a page size from 1 to 100");

const otsBlock = blockShape.omit({ transactions: true }).extend({ transactionCount: z.number() });
const details = z.strictObject({
  block: otsBlock,
  issuance: z.strictObject({ blockReward: hexQuantity, uncleReward: hexQuantity, issuance: hexQuantity }),
  totalFees: hexQuantity,
});
const timedReceipt = receiptShape.extend({ timestamp: hexQuantity });
const history = z.strictObject({
  txs: z.array(transactionShape),
  receipts: z.array(timedReceipt),
  firstPage: z.boolean(),
  lastPage: z.boolean(),
});
const search = {
  paramNames: ["address", "block_number", "page_size"],
  params: z.tuple([address, safeInteger, pageSize]),
  result: history,
  isForwarded: true,
};
const ofTransactionRun = {
  paramNames: ["tx_hash"],
  params: z.tuple([hash32]),
  errors: [unknownTransaction],
  limits: runLimits,
  isForwarded: true,
  toLiveExamples: ofTransaction(),
};
const unknown = { summary: "An unknown transaction", params: [unknownHash], refused: true as const };

const otsReads = defineMethods("reads", {
  ots_getApiLevel: {
    summary: "Returns the version of the `ots_` methods, which Otterscan uses to check compatibility.",
    result: z.literal(8),
    examples: [{ summary: "Version", params: [] }],
  },

  erigon_getHeaderByNumber: {
    summary: "Returns a block's header by number or tag; null if not found.",
    paramNames: ["block_number"],
    params: z.tuple([block]),
    result: headerShape.nullable(),
    isForwarded: true,
    examples: [{ summary: "Latest block", params: ["latest"] }],
  },

  ots_hasCode: {
    summary: "Returns whether an account has code at a block.",
    paramNames: ["account", "block"],
    params: z.tuple([address, z.union([z.int().nonnegative(), blockOrLatest])]),
    result: z.boolean(),
    errors: [unknownBlock],
    isForwarded: true,
    examples: [{ summary: "The payment token", params: [token, "latest"] }],
  },

  ots_getBlockDetails: {
    summary:
      "Returns a block by number or tag, with its number of transactions, its rewards and its fees; null if not found.",
    paramNames: ["block_number"],
    params: z.tuple([block]),
    result: details.nullable(),
    isForwarded: true,
    examples: [{ summary: "Latest block", params: ["latest"] }],
  },

  ots_getBlockDetailsByHash: {
    summary: "Returns a block by hash, with its number of transactions, its rewards and its fees; null if not found.",
    paramNames: ["block_hash"],
    params: z.tuple([hash32]),
    result: details.nullable(),
    isForwarded: true,
    examples: [{ summary: "An unknown block", params: [unknownHash] }],
    toLiveExamples: ofBlock("Block of the latest transaction", ({ hash }) => [hash]),
  },

  ots_getBlockTransactions: {
    summary:
      "Returns a page of a block's transactions with their receipts; null if the block isn't found. As in Erigon, page 0 has the block's last transactions.",
    paramNames: ["block_number", "page", "page_size"],
    params: z.tuple([block, safeInteger, pageSize]),
    result: z
      .strictObject({
        fullblock: otsBlock.extend({ transactions: z.array(transactionShape) }),
        receipts: z.array(timedReceipt.extend({ logs: z.null(), logsBloom: z.null() })),
      })
      .nullable(),
    isForwarded: true,
    examples: [{ summary: "Latest block", params: ["latest", 0, 25] }],
    toLiveExamples: ofBlock("Block of the latest transaction", ({ number }) => [Number(number), 0, 25]),
  },

  ots_searchTransactionsBefore: {
    summary:
      "Lists transactions that involved an address in blocks before the given one, newest first; 0 starts at the latest block. A page never ends in the middle of a block.",
    ...search,
    examples: [{ summary: "A developer account", params: [developer, 0, 25] }],
  },

  ots_searchTransactionsAfter: {
    summary:
      "Lists transactions that involved an address in the blocks right after the given one, newest first; 0 starts at genesis. A page never ends in the middle of a block.",
    ...search,
    examples: [{ summary: "A developer account", params: [developer, 0, 25] }],
  },

  ots_getTransactionBySenderAndNonce: {
    summary: "Returns the hash of the transaction that a sender sent with a nonce; null if there is none.",
    paramNames: ["sender", "nonce"],
    params: z.tuple([address, safeInteger]),
    result: hexHash.nullable(),
    isForwarded: true,
    examples: [{ summary: "First transaction of a developer account", params: [developer, 0] }],
  },
});

const otsRuns = defineMethods("runs", {
  ots_getInternalOperations: {
    summary:
      "Lists the value transfers (type 0), self-destructs (1) and contract creations (2, or 3 with CREATE2) inside a transaction.",
    ...ofTransactionRun,
    result: z.array(
      z.strictObject({ type: z.int().min(0).max(3), from: hexAddress, to: hexAddress, value: hexQuantity }),
    ),
    examples: [unknown],
  },

  ots_getTransactionError: {
    summary: "Returns the revert data of a transaction; 0x if it didn't revert.",
    ...ofTransactionRun,
    result: hexData,
    examples: [unknown],
  },

  ots_traceTransaction: {
    summary: "Returns every call of a transaction as a flat list with depths.",
    ...ofTransactionRun,
    result: z.array(
      z.strictObject({
        type: z.string(),
        depth: z.number(),
        from: hexAddress,
        to: hexAddress.nullable(),
        value: hexQuantity.nullable(),
        input: hexData,
        output: hexData,
      }),
    ),
    examples: [unknown],
  },

  ots_getContractCreator: {
    summary: "Returns the transaction and the account that created a contract; null if there are none.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: z.strictObject({ hash: hexHash, creator: hexAddress }).nullable(),
    limits: runLimits,
    isForwarded: true,
    examples: [{ summary: "The payment token, created at genesis", params: [token] }],
  },
});

export const otsMethods = { ...otsReads, ...otsRuns };
