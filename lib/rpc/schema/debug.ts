/**
 * debug_ methods that return consensus encodings. Unlike lookups with eth_ methods, they return an error if the item
 * isn't found.
 */
import { z } from "zod";
import { blockOrLatest, hash32, hexData } from "@/lib/rpc/codec";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock, unknownTransaction } from "@/lib/rpc/schema/errors";
import { unknownHash } from "@/lib/rpc/schema/exampleValues";
import { newestBlock, ofBlock, ofTransaction } from "@/lib/rpc/schema/live";

export const debugMethods = defineMethods("reads", {
  debug_getRawBlock: {
    summary: "Returns the RLP encoding of a block.",
    paramNames: ["block"],
    params: z.tuple([blockOrLatest]),
    result: hexData,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    examples: [{ summary: "Genesis", params: ["earliest"] }],
    toLiveExamples: ofBlock(newestBlock, ({ number }) => [number]),
  },

  debug_getRawHeader: {
    summary: "Returns the RLP encoding of a block header; its keccak256 is the block hash.",
    paramNames: ["block"],
    params: z.tuple([blockOrLatest]),
    result: hexData,
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    examples: [{ summary: "Genesis", params: ["earliest"] }],
    toLiveExamples: ofBlock(newestBlock, ({ number }) => [number]),
  },

  debug_getRawReceipts: {
    summary: "Returns the consensus encodings of a block's receipts, in order.",
    paramNames: ["block"],
    params: z.tuple([blockOrLatest]),
    result: z.array(hexData),
    errors: [unknownBlock],
    isExported: true,
    isForwarded: true,
    examples: [{ summary: "Genesis", params: ["earliest"] }],
    toLiveExamples: ofBlock(newestBlock, ({ number }) => [number]),
  },

  debug_getRawTransaction: {
    summary: "Returns the EIP-2718 encoding of a mined or pending transaction.",
    paramNames: ["tx_hash"],
    params: z.tuple([hash32]),
    result: hexData,
    errors: [unknownTransaction],
    isExported: true,
    isForwarded: true,
    examples: [{ summary: "An unknown transaction", params: [unknownHash], refused: true }],
    toLiveExamples: ofTransaction(),
  },
});
