/** explorer_ methods about tokens: transfer counts and holders. */
import { z } from "zod";
import { address, hexQuantity } from "@/lib/rpc/codec";
import { holderCursor, tokenCursor } from "@/lib/rpc/cursor";
import { holderShape, tokenShape } from "@/lib/rpc/explorerAddressShapes";
import { paged } from "@/lib/rpc/page";
import { defineMethods } from "@/lib/rpc/schema/define";
import { token } from "@/lib/rpc/schema/exampleValues";
import { pageBefore } from "@/lib/rpc/schema/explorerPage";

export const explorerTokenMethods = defineMethods("reads", {
  explorer_getToken: {
    summary: "Returns a token's number of holders and transfers; null if it was never transferred.",
    paramNames: ["token"],
    params: z.tuple([address]),
    result: z.strictObject({ holders: hexQuantity, transfers: hexQuantity }).nullable(),
    isExported: true,
    examples: [{ summary: "The network's token", params: [token] }],
  },

  explorer_getTokens: {
    summary: "Lists tokens, most holders first.",
    paramNames: ["page"],
    params: z.tuple([pageBefore(tokenCursor)]),
    result: paged(tokenShape),
    isExported: true,
    cursor: "before",
    examples: [{ summary: "First 10", params: [{ limit: 10 }] }],
  },

  explorer_getHolders: {
    summary: "Lists a token's holders according to its Transfer events, largest balance first.",
    paramNames: ["token", "page"],
    params: z.tuple([address, pageBefore(holderCursor)]),
    result: paged(holderShape),
    isExported: true,
    cursor: "before",
    examples: [{ summary: "First 10", params: [token, { limit: 10 }] }],
  },
});
