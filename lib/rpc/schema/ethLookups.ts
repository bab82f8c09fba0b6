/**
 * Lookup methods that tools expect but execution-apis doesn't define. Results have the same shape as in geth and anvil.
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
  quantity,
  safeInteger,
  storageSlot,
} from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { developer, token, unknownHash } from "@/lib/rpc/schema/exampleValues";
import { ofBlock, ofTransaction } from "@/lib/rpc/schema/live";
import { headerShape, transactionShape } from "@/lib/rpc/shapes";

const atBlock = { paramNames: ["account", "block"], params: z.tuple([address, blockOrLatest]), errors: [unknownBlock] };
const indexedByHash = { paramNames: ["block_hash", "index"], params: z.tuple([blockRef, safeInteger]) };
const indexedByNumber = { paramNames: ["block_tag", "index"], params: z.tuple([blockRef, safeInteger]) };
const inUnknownBlock = { summary: "In an unknown block", params: [unknownHash, "0x0"] };
const inLatestBlock = { summary: "In the latest block", params: ["latest", "0x0"] };

export const ethLookupsMethods = defineMethods("reads", {
  eth_coinbase: {
    summary: "Returns the address that receives the next block's priority fees.",
    result: hexAddress,
    examples: [{ summary: "Next block", params: [] }],
  },

  eth_hashrate: {
    summary: "Always returns 0: blocks are not mined with proof of work.",
    result: z.literal("0x0"),
    examples: [{ summary: "Hash rate", params: [] }],
  },

  eth_mining: {
    summary: "Returns whether the chain is configured to mine blocks on its own, without calls such as evm_mine.",
    result: z.boolean(),
    examples: [{ summary: "Mining", params: [] }],
  },

  eth_networkId: {
    summary: "Returns the network ID as a decimal string, as net_version does.",
    result: z.string().regex(/^[1-9][0-9]*$/),
    examples: [{ summary: "Network ID", params: [] }],
  },

  eth_protocolVersion: {
    summary: "Always returns 1, as anvil does: the node has no peer-to-peer protocol.",
    result: z.literal(1),
    examples: [{ summary: "Version", params: [] }],
  },

  eth_getAccount: {
    summary: "Returns an account's nonce, balance, storage root and code hash at a block.",
    ...atBlock,
    result: z.strictObject({ nonce: hexQuantity, balance: hexQuantity, storageRoot: hexHash, codeHash: hexHash }),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "The payment token", params: [token, "latest"] }],
  },

  eth_getAccountInfo: {
    summary: "Returns an account's nonce, balance and code at a block.",
    ...atBlock,
    result: z.strictObject({ nonce: hexQuantity, balance: hexQuantity, code: hexData }),
    isExported: true,
    isForwarded: true,
    isMetered: true,
    examples: [{ summary: "A funded developer account", params: [developer, "latest"] }],
  },

  eth_getStorageValues: {
    summary: "Returns the values of many storage slots of many accounts at a block.",
    paramNames: ["slots", "block"],
    params: z.tuple([
      z
        .record(address, z.array(storageSlot))
        .refine((slots) => Object.values(slots).flat().length <= 1_024, "at most 1024 storage slots"),
      blockOrLatest,
    ]),
    result: z.record(hexAddress, z.array(hexHash)),
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    examples: [{ summary: "Two slots of the payment token", params: [{ [token]: ["0x0", "0x1"] }, "latest"] }],
  },

  eth_getTransactionBySenderAndNonce: {
    summary: "Returns the transaction that a sender sent with a nonce; null if there is none.",
    paramNames: ["sender", "nonce"],
    params: z.tuple([address, quantity]),
    result: transactionShape.nullable(),
    isForwarded: true,
    examples: [{ summary: "First transaction of a developer account", params: [developer, "0x0"] }],
  },

  eth_getRawTransactionByHash: {
    summary: "Returns the encoding of a mined or pending transaction (EIP-2718); null if not found.",
    paramNames: ["tx_hash"],
    params: z.tuple([hash32]),
    result: hexData.nullable(),
    isExported: true,
    isForwarded: true,
    examples: [{ summary: "An unknown transaction", params: [unknownHash] }],
    toLiveExamples: ofTransaction(),
  },

  eth_getRawTransactionByBlockHashAndIndex: {
    summary: "Returns the encoding of a transaction (EIP-2718) by block hash and index; null if not found.",
    ...indexedByHash,
    result: hexData.nullable(),
    isForwarded: true,
    examples: [inUnknownBlock],
    toLiveExamples: ofBlock("First transaction in a block", ({ hash }) => [hash, "0x0"]),
  },

  eth_getRawTransactionByBlockNumberAndIndex: {
    summary: "Returns the encoding of a transaction (EIP-2718) by block number or tag and index; null if not found.",
    ...indexedByNumber,
    result: hexData.nullable(),
    isForwarded: true,
    examples: [inLatestBlock],
    toLiveExamples: ofBlock("First transaction in a block", ({ number }) => [number, "0x0"]),
  },

  eth_getUncleCountByBlockHash: {
    summary: "Returns the number of a block's uncles by block hash, which is 0 since the merge; null if not found.",
    paramNames: ["block_hash"],
    params: z.tuple([blockRef]),
    result: hexQuantity.nullable(),
    isForwarded: true,
    examples: [{ summary: "An unknown block", params: [unknownHash] }],
    toLiveExamples: ofBlock("Block of the latest transaction", ({ hash }) => [hash]),
  },

  eth_getUncleCountByBlockNumber: {
    summary:
      "Returns the number of a block's uncles by block number or tag, which is 0 since the merge; null if not found.",
    paramNames: ["block_tag"],
    params: z.tuple([blockOrLatest]),
    result: hexQuantity.nullable(),
    isForwarded: true,
    examples: [{ summary: "Latest block", params: ["latest"] }],
  },

  eth_getUncleByBlockHashAndIndex: {
    summary: "Returns the header of a block's uncle by block hash and index; null if it doesn't exist.",
    ...indexedByHash,
    result: headerShape.nullable(),
    isForwarded: true,
    examples: [inUnknownBlock],
  },

  eth_getUncleByBlockNumberAndIndex: {
    summary: "Returns the header of a block's uncle by block number or tag and index; null if it doesn't exist.",
    ...indexedByNumber,
    result: headerShape.nullable(),
    isForwarded: true,
    examples: [inLatestBlock],
  },

  debug_codeByHash: {
    summary: "Returns the contract code that has the given Keccak-256 hash; null if no account ever had such code.",
    paramNames: ["hash"],
    params: z.tuple([hash32]),
    result: hexData.nullable(),
    isForwarded: true,
    examples: [{ summary: "An unknown hash", params: [unknownHash] }],
  },
});
