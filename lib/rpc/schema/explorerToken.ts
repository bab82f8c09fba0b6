/** explorer_ methods about tokens: transfer counts and holders. */
import { z } from "zod";
import { address, hexQuantity } from "@/lib/rpc/codec";
import { holderCursor } from "@/lib/rpc/cursor";
import { holderShape } from "@/lib/rpc/explorerAddressShapes";
import { paged } from "@/lib/rpc/page";
import { defineMethod } from "@/lib/rpc/schema/define";
import { pageBefore, tokenAddress } from "@/lib/rpc/schema/explorerPage";

export const explorer_getToken = defineMethod({
  name: "explorer_getToken",
  summary: "How many hold a token and how often it was transferred; null where it never was.",
  effect: "reads",
  paramNames: ["token"],
  params: z.tuple([address]),
  result: z.strictObject({ holders: hexQuantity, transfers: hexQuantity }).nullable(),
  isExported: true,
  examples: [{ summary: "The network's token", params: [tokenAddress] }],
});

export const explorer_getHolders = defineMethod({
  name: "explorer_getHolders",
  summary: "Who holds a token, by the transfers since it exists, the largest balance first.",
  effect: "reads",
  paramNames: ["token", "page"],
  params: z.tuple([address, pageBefore(holderCursor)]),
  result: paged(holderShape),
  isExported: true,
  cursor: "before",
  examples: [{ summary: "The first ten", params: [tokenAddress, { limit: 10 }] }],
});
