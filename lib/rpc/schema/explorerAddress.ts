/** explorer_ methods about a single address: its history, internal transfers, tokens, logs and storage. */
import { z } from "zod";
import { mostAddressRows } from "@/lib/addressCounts";
import {
  address,
  blockOrLatest,
  hash32,
  hexAddress,
  hexData,
  hexHash,
  hexQuantity,
  safeInteger,
  storageSlot,
} from "@/lib/rpc/codec";
import { addressCursor, internalCursor, logCursor, nftCursor, slotCursor, transactionCursor } from "@/lib/rpc/cursor";
import {
  addressTransactionShape,
  directionShape,
  holdingShape,
  internalTransferShape,
  nftShape,
  placeShape,
  sideShape,
  slotKeysShape,
  tokenTransferShape,
} from "@/lib/rpc/explorerAddressShapes";
import { limit, paged } from "@/lib/rpc/page";
import { defineMethods } from "@/lib/rpc/schema/define";
import { unknownBlock } from "@/lib/rpc/schema/errors";
import { developer, token, transferTopic } from "@/lib/rpc/schema/exampleValues";
import { pageAfter, pageBefore } from "@/lib/rpc/schema/explorerPage";
import { runLimits } from "@/lib/rpc/schema/limits";
import { logShape } from "@/lib/rpc/shapes";

/** { before, limit, direction }, for an address's lists, sorted newest first. */
function directedPage<Cursor extends z.ZodType, Direction extends z.ZodType>(cursor: Cursor, direction: Direction) {
  return z
    .object({ before: cursor.nullish(), limit, direction: direction.nullish() })
    .nullish()
    .transform((given): { before?: z.output<Cursor>; direction?: z.output<Direction>; limit: number } => ({
      ...(given?.before == null ? {} : { before: given.before as z.output<Cursor> }),
      ...(given?.direction == null ? {} : { direction: given.direction as z.output<Direction> }),
      limit: given?.limit ?? 25,
    }));
}

const readMethods = defineMethods("reads", {
  explorer_getAddress: {
    summary: `Returns the first and last transactions that involved an address, the one that created it, and how many transactions, token transfers and internal transactions it has. The counts stop at ${mostAddressRows}.`,
    paramNames: ["address"],
    params: z.tuple([address]),
    result: z.strictObject({
      firstSeen: placeShape.nullable(),
      lastSeen: placeShape.nullable(),
      creation: placeShape.extend({ from: hexAddress }).nullable(),
      counts: z.strictObject({
        transactions: hexQuantity,
        tokenTransfers: hexQuantity,
        internalTransfers: hexQuantity,
      }),
    }),
    isExported: true,
    examples: [{ summary: "A developer account", params: [developer] }],
  },

  explorer_getAddressTransactions: {
    summary:
      "Lists mined transactions that involved an address, newest first, each with its direction: self, out, in, created, internal (a contract transferred native tokens to or from it) or token (it sent or received a token transfer).",
    paramNames: ["address", "page"],
    params: z.tuple([address, directedPage(transactionCursor, directionShape)]),
    result: paged(addressTransactionShape),
    isExported: true,
    cursor: "before",
    examples: [
      { summary: "A developer account", params: [developer, { limit: 10 }] },
      { summary: "Sent transactions only", params: [developer, { limit: 10, direction: "out" }] },
    ],
  },

  explorer_getInternalTransfers: {
    summary:
      "Lists internal transactions of an address, newest first: native transfers and contract creations by contracts. They can be limited to one direction: in (it received them) or out (it sent them).",
    paramNames: ["address", "page"],
    params: z.tuple([address, directedPage(internalCursor, sideShape)]),
    result: paged(internalTransferShape),
    isExported: true,
    cursor: "before",
    examples: [{ summary: "A developer account", params: [developer, { limit: 10 }] }],
  },

  explorer_getTokenTransfers: {
    summary:
      "Lists ERC-20 transfers, newest first: all transfers of a token, or an address's transfers. These can be limited to one token and to one direction: in (it received them) or out (it sent them).",
    paramNames: ["filter", "page"],
    params: z.tuple([
      z.union(
        [
          z.strictObject({ token: address }),
          z
            .strictObject({ party: address, token: address.nullish(), direction: sideShape.nullish() })
            .transform(({ party, token, direction }) => ({
              party,
              ...(token && { token }),
              ...(direction && { direction }),
            })),
        ],
        {
          error: "expected an object with a token, or with a party and optionally a token and a direction (in or out)",
        },
      ),
      pageBefore(logCursor),
    ]),
    result: paged(tokenTransferShape),
    isExported: true,
    cursor: "before",
    examples: [
      { summary: "A token", params: [{ token: token }, { limit: 10 }] },
      { summary: "A developer account", params: [{ party: developer }, { limit: 10 }] },
      { summary: "Tokens that it received", params: [{ party: developer, token, direction: "in" }, { limit: 10 }] },
    ],
  },

  explorer_getHoldings: {
    summary:
      "Lists the tokens that an address holds according to Transfer events, and the network's own tokens that it holds otherwise, sorted by token address; for the next page, pass the result's 'next' as 'after'.",
    paramNames: ["address", "page"],
    params: z.tuple([address, pageAfter(addressCursor)]),
    result: paged(holdingShape),
    isExported: true,
    cursor: "after",
    examples: [{ summary: "A developer account", params: [developer] }],
  },

  explorer_getNfts: {
    summary:
      "Lists the ERC-721 and ERC-1155 tokens that an address holds according to its transfer events, sorted by token address and id; for the next page, pass the result's 'next' as 'after'.",
    paramNames: ["address", "page"],
    params: z.tuple([address, pageAfter(nftCursor)]),
    result: paged(nftShape),
    isExported: true,
    cursor: "after",
    examples: [{ summary: "A developer account", params: [developer] }],
  },

  explorer_getLogs: {
    summary:
      "Lists logs emitted by an address, newest first, with no block range limit; for the next page, pass the result's 'next' as 'before'.",
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
    summary:
      "Lists an address's non-zero storage slots at a block, in ascending order; for the next page, pass the result's 'next' as 'after'.",
    paramNames: ["address", "block", "page"],
    params: z.tuple([address, blockOrLatest, pageAfter(slotCursor)]),
    result: paged(z.strictObject({ slot: hexHash, value: hexHash })),
    isExported: true,
    cursor: "after",
    examples: [{ summary: "A token", params: [token, "latest", { limit: 10 }] }],
  },

  explorer_getSelectors: {
    summary: "Returns the function selectors found in a contract's bytecode, in dispatch order.",
    paramNames: ["address"],
    params: z.tuple([address]),
    result: z.strictObject({
      codeSize: hexQuantity,
      selectors: z.array(hexData),
      /**
       * The signature for each selector, in the same order. Null if none of the interfaces that the node knows declares
       * the selector.
       */
      signatures: z.array(z.string().nullable()),
    }),
    isExported: true,
    examples: [{ summary: "A token", params: [token] }],
  },
});

const runMethods = defineMethods("runs", {
  explorer_getSlotKeys: {
    summary:
      "Returns how an address's storage slots follow from mapping keys or array positions, by running the blocks that last wrote them again. Omits variables, slots that no mapping or array leads to, and slots whose blocks would use more gas in total than a call may use.",
    paramNames: ["address", "slots", "block"],
    params: z.tuple([address, z.array(storageSlot).max(100, "at most 100 slots"), blockOrLatest]),
    result: z.array(slotKeysShape),
    errors: [unknownBlock],
    limits: runLimits,
    isExported: true,
    examples: [{ summary: "A token's owner, which is a variable", params: [token, ["0x0"], "latest"] }],
  },
});

export const explorerAddressMethods = { ...readMethods, ...runMethods };
