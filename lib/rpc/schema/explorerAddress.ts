/** explorer_ methods about one address: its history, internal transfers, tokens, logs and storage. */
import { z } from "zod";
import {
  address,
  blockOrLatest,
  hash32,
  hexAddress,
  hexData,
  hexHash,
  hexQuantity,
  safeInteger,
} from "@/lib/rpc/codec";
import { addressCursor, internalCursor, logCursor, slotCursor, transactionCursor } from "@/lib/rpc/cursor";
import {
  addressTransactionShape,
  directionShape,
  holdingShape,
  internalTransferShape,
  placeShape,
  tokenTransferShape,
} from "@/lib/rpc/explorerAddressShapes";
import { limit, paged } from "@/lib/rpc/page";
import { defineMethods } from "@/lib/rpc/schema/define";
import { developer, token, transferTopic } from "@/lib/rpc/schema/exampleValues";
import { pageAfter, pageBefore } from "@/lib/rpc/schema/explorerPage";
import { logShape } from "@/lib/rpc/shapes";

export const explorerAddressMethods = defineMethods("reads", {
  explorer_getAddress: {
    summary: "When an address was first and last touched by a transaction, and which one created it.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: z.strictObject({
      firstSeen: placeShape.nullable(),
      lastSeen: placeShape.nullable(),
      creation: placeShape.extend({ from: hexAddress }).nullable(),
    }),
    isExported: true,
    examples: [{ summary: "Of a developer account", params: [developer] }],
  },

  explorer_getAddressTransactions: {
    summary:
      "Mined transactions that touched an address, newest first, and what each was to it: self, out, in, created, internal (coin moved to or from it inside), token (it was party to a token transfer).",
    paramNames: ["address", "page"],
    params: z.tuple([
      address,
      z
        .object({ before: transactionCursor.nullish(), limit, direction: directionShape.nullish() })
        .nullish()
        .transform((given) => ({
          ...(given?.before == null ? {} : { before: given.before }),
          ...(given?.direction == null ? {} : { direction: given.direction }),
          limit: given?.limit ?? 25,
        })),
    ]),
    result: paged(addressTransactionShape),
    isExported: true,
    cursor: "before",
    examples: [
      { summary: "Of a developer account", params: [developer, { limit: 10 }] },
      { summary: "Only what it sent", params: [developer, { limit: 10, direction: "out" }] },
    ],
  },

  explorer_getInternalTransfers: {
    summary: "Coin that contracts moved to or from an address and contracts they created, newest first.",
    paramNames: ["address", "page"],
    params: z.tuple([address, pageBefore(internalCursor)]),
    result: paged(internalTransferShape),
    isExported: true,
    cursor: "before",
    examples: [{ summary: "Of a developer account", params: [developer, { limit: 10 }] }],
  },

  explorer_getTokenTransfers: {
    summary: "ERC-20 transfers of a token, or those an address sent or received in any token, newest first.",
    paramNames: ["filter", "page"],
    params: z.tuple([
      z.union([z.strictObject({ token: address }), z.strictObject({ party: address })], {
        error: "expected an object with either token or party",
      }),
      pageBefore(logCursor),
    ]),
    result: paged(tokenTransferShape),
    isExported: true,
    cursor: "before",
    examples: [
      { summary: "Of a token", params: [{ token: token }, { limit: 10 }] },
      { summary: "Of a developer account", params: [{ party: developer }, { limit: 10 }] },
    ],
  },

  explorer_getHoldings: {
    summary: "Tokens an address holds by the transfers it was party to, ascending by token; hand back next as after.",
    paramNames: ["address", "page"],
    params: z.tuple([address, pageAfter(addressCursor)]),
    result: paged(holdingShape),
    isExported: true,
    cursor: "after",
    examples: [{ summary: "Of a developer account", params: [developer] }],
  },

  explorer_getLogs: {
    summary: "Logs of an address, newest first and without a limit on the range; hand back next as before.",
    paramNames: ["address", "filter"],
    params: z.tuple([
      address,
      z
        .object({
          topics: z.array(hash32.nullable()).max(4).nullish(),
          fromBlock: safeInteger.nullish(),
          before: logCursor.nullish(),
          limit,
        })
        .nullish()
        .transform((given) => ({
          topics: (given?.topics ?? []).map((topic) => (topic === null ? undefined : [topic])),
          fromBlock: given?.fromBlock ?? 0,
          before: given?.before ?? undefined,
          limit: given?.limit ?? 25,
        })),
    ]),
    result: paged(logShape),
    isExported: true,
    cursor: "before",
    examples: [{ summary: "Transfers of a token", params: [token, { topics: [transferTopic], limit: 10 }] }],
  },

  explorer_getStorage: {
    summary: "Storage slots of an address that are not zero at a block, ascending; hand back next as after.",
    paramNames: ["address", "block", "page"],
    params: z.tuple([address, blockOrLatest, pageAfter(slotCursor)]),
    result: paged(z.strictObject({ slot: hexHash, value: hexHash })),
    isExported: true,
    cursor: "after",
    examples: [{ summary: "Of a token", params: [token, "latest", { limit: 10 }] }],
  },

  explorer_getSelectors: {
    summary: "Function selectors that a contract's code compares its input with, as they stand in its dispatcher.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: z.strictObject({
      codeSize: hexQuantity,
      selectors: z.array(hexData),
      /** For each selector, in the same order: its declaration in an interface that the node knows. */
      signatures: z.array(z.string().nullable()),
    }),
    isExported: true,
    examples: [{ summary: "Of a token", params: [token] }],
  },
});
