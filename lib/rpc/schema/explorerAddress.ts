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
import { defineMethod } from "@/lib/rpc/schema/define";
import { developer, pageAfter, pageBefore, tokenAddress } from "@/lib/rpc/schema/explorerPage";
import { logShape } from "@/lib/rpc/shapes";

/** keccak256("Transfer(address,address,uint256)") */
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export const explorer_getAddress = defineMethod({
  name: "explorer_getAddress",
  summary: "When an address was first and last touched by a transaction, and which one created it.",
  effect: "reads",
  paramNames: ["address"],
  params: z.tuple([address]),
  result: z.strictObject({
    firstSeen: placeShape.nullable(),
    lastSeen: placeShape.nullable(),
    creation: placeShape.extend({ from: hexAddress }).nullable(),
  }),
  isExported: true,
  examples: [{ summary: "Of a developer account", params: [developer] }],
});

export const explorer_getAddressTransactions = defineMethod({
  name: "explorer_getAddressTransactions",
  summary:
    "Mined transactions that touched an address, newest first, and what each was to it: self, out, in, created, internal (coin moved to or from it inside), token (it was party to a token transfer).",
  effect: "reads",
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
});

export const explorer_getInternalTransfers = defineMethod({
  name: "explorer_getInternalTransfers",
  summary: "Coin that contracts moved to or from an address and contracts they created, newest first.",
  effect: "reads",
  paramNames: ["address", "page"],
  params: z.tuple([address, pageBefore(internalCursor)]),
  result: paged(internalTransferShape),
  isExported: true,
  cursor: "before",
  examples: [{ summary: "Of a developer account", params: [developer, { limit: 10 }] }],
});

export const explorer_getTokenTransfers = defineMethod({
  name: "explorer_getTokenTransfers",
  summary: "ERC-20 transfers of a token, or those an address sent or received in any token, newest first.",
  effect: "reads",
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
    { summary: "Of a token", params: [{ token: tokenAddress }, { limit: 10 }] },
    { summary: "Of a developer account", params: [{ party: developer }, { limit: 10 }] },
  ],
});

export const explorer_getHoldings = defineMethod({
  name: "explorer_getHoldings",
  summary: "Tokens an address holds by the transfers it was party to, ascending by token; hand back next as after.",
  effect: "reads",
  paramNames: ["address", "page"],
  params: z.tuple([address, pageAfter(addressCursor)]),
  result: paged(holdingShape),
  isExported: true,
  cursor: "after",
  examples: [{ summary: "Of a developer account", params: [developer] }],
});

export const explorer_getLogs = defineMethod({
  name: "explorer_getLogs",
  summary: "Logs of an address, newest first and without a limit on the range; hand back next as before.",
  effect: "reads",
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
  examples: [{ summary: "Transfers of a token", params: [tokenAddress, { topics: [transferTopic], limit: 10 }] }],
});

export const explorer_getStorage = defineMethod({
  name: "explorer_getStorage",
  summary: "Storage slots of an address that are not zero at a block, ascending; hand back next as after.",
  effect: "reads",
  paramNames: ["address", "block", "page"],
  params: z.tuple([address, blockOrLatest, pageAfter(slotCursor)]),
  result: paged(z.strictObject({ slot: hexHash, value: hexHash })),
  isExported: true,
  cursor: "after",
  examples: [{ summary: "Of a token", params: [tokenAddress, "latest", { limit: 10 }] }],
});

export const explorer_getSelectors = defineMethod({
  name: "explorer_getSelectors",
  summary: "Function selectors that a contract's code compares its input with, as they stand in its dispatcher.",
  effect: "reads",
  paramNames: ["address"],
  params: z.tuple([address]),
  result: z.strictObject({
    codeSize: hexQuantity,
    selectors: z.array(hexData),
    /** For each selector, in the same order: its declaration in an interface that the node knows. */
    signatures: z.array(z.string().nullable()),
  }),
  isExported: true,
  examples: [{ summary: "Of a token", params: [tokenAddress] }],
});
