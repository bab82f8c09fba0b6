/**
 * explorer_ methods for lists and search. Lists are sorted newest first and are paginated with an opaque cursor: pass
 * `next` as `before`. If `next` is null, there are no more rows.
 */
import { z } from "zod";
import { faucetAmounts } from "@/lib/networks";
import { address, blockRef, hexHash, hexQuantity } from "@/lib/rpc/codec";
import { blockSummaryShape, pendingSummaryShape, transactionSummaryShape } from "@/lib/rpc/explorerShapes";
import { limit, paged } from "@/lib/rpc/page";
import { defineMethods } from "@/lib/rpc/schema/define";
import { refusedByPool } from "@/lib/rpc/schema/errors";
import { developer } from "@/lib/rpc/schema/exampleValues";
import { blockPage, blockTransactionPage, transactionPage } from "@/lib/rpc/schema/explorerPage";
import { ofBlock } from "@/lib/rpc/schema/live";

const searchItem = z.strictObject({
  kind: z.enum(["block", "transaction", "address", "pending", "token", "payment", "resource", "function", "method"]),
  /**
   * A block number in decimal, a hash, an address, a payment's ID, a paid resource's path and query, or the name of a
   * function or method.
   */
  id: z.string(),
  label: z.string(),
});

export const explorerMethods = {
  ...defineMethods("reads", {
    explorer_getBlocks: {
      summary: "Lists blocks, newest first.",
      paramNames: ["page"],
      params: z.tuple([blockPage]),
      result: paged(blockSummaryShape),
      isExported: true,
      cursor: "before",
      examples: [
        { summary: "Latest 10", params: [{ limit: 10 }] },
        { summary: "Latest 10 with transactions", params: [{ limit: 10, skipsEmpty: true }] },
      ],
    },

    explorer_getTransactions: {
      summary:
        "Lists mined transactions, newest first: all of them, or those that failed, settled a payment, created a contract, called a method or transferred a token.",
      paramNames: ["page"],
      params: z.tuple([transactionPage]),
      result: paged(transactionSummaryShape),
      isExported: true,
      cursor: "before",
      examples: [
        { summary: "Latest 10", params: [{ limit: 10 }] },
        { summary: "Latest 10 that failed", params: [{ limit: 10, failed: true }] },
      ],
    },

    explorer_getBlockTransactions: {
      summary: "Lists a block's transactions in block order; for the next page, pass the result's 'next' as 'after'.",
      paramNames: ["block", "page"],
      params: z.tuple([blockRef, blockTransactionPage]),
      result: paged(transactionSummaryShape),
      isExported: true,
      cursor: "after",
      examples: [{ summary: "Transactions in the latest block", params: ["latest", { limit: 10 }] }],
      toLiveExamples: ofBlock("Transactions in a block", ({ number }) => [number, { limit: 10 }]),
    },

    explorer_getPendingTransactions: {
      summary: "Lists the transactions in the pool, next to be mined first.",
      paramNames: ["page"],
      params: z.tuple([
        z
          .object({ limit })
          .nullish()
          .transform((given) => given ?? { limit: 25 }),
      ]),
      result: z.strictObject({ items: z.array(pendingSummaryShape), pending: hexQuantity, queued: hexQuantity }),
      isExported: true,
      examples: [{ summary: "First 10", params: [{ limit: 10 }] }],
    },

    explorer_search: {
      summary:
        "Searches for blocks, transactions, addresses and payments by number, hash or leading digits, and for tokens, contracts, paid resources and methods by name; also returns which kinds of lookups were tried.",
      paramNames: ["text"],
      params: z.tuple([z.string().max(200, "text is longer than 200 characters")]),
      result: z.strictObject({
        items: z.array(searchItem),
        lookedUp: z.array(
          z.enum([
            "block number",
            "block hash",
            "transaction hash",
            "address",
            "payment ID",
            "name",
            "method",
            "prefix",
          ]),
        ),
        /** Names and methods that are similar to the text. Only returned if nothing matches the text. */
        suggestions: z.array(searchItem),
      }),
      isExported: true,
      examples: [
        { summary: "A block number", params: ["0"] },
        { summary: "An address", params: [developer] },
        { summary: "A token by its symbol", params: ["USDC"] },
        { summary: "A method", params: ["getBalance"] },
      ],
      toLiveExamples: async ({ transaction, account }) => {
        const found = await transaction();
        const texts = [...(found ? [found.hash] : []), await account(), "0"];
        return texts.map((text) => ({ summary: `Search for ${text.slice(0, 10)}`, params: [text] }));
      },
    },

    explorer_getNetwork: {
      summary: "Returns this endpoint's network: its tokens, the addresses of the payment contracts, and its head.",
      result: z.strictObject({
        name: z.string(),
        label: z.string(),
        chainId: hexQuantity,
        nativeCurrency: z.strictObject({ name: z.string(), symbol: z.string(), decimals: z.number() }),
        tokens: z.array(
          z.strictObject({
            address: z.string(),
            symbol: z.string(),
            decimals: z.number(),
            eip712: z.strictObject({ name: z.string(), version: z.string() }).optional(),
            eip3009: z.boolean(),
            eip2612: z.boolean().optional(),
          }),
        ),
        contracts: z.strictObject({
          permit2: z.string(),
          exactPermit2Proxy: z.string(),
          uptoPermit2Proxy: z.string(),
          multicall3: z.string(),
          create2Deployer: z.string(),
        }),
        embedded: z.boolean(),
        genesisHash: hexHash,
        head: z.strictObject({ number: hexQuantity, hash: hexHash, timestamp: hexQuantity }),
      }),
      isExported: true,
      examples: [{ summary: "This network", params: [] }],
    },
  }),

  ...defineMethods("signs", {
    explorer_fund: {
      summary: `Requests test money from an embedded network's faucet: ${faucetAmounts.native} native tokens and ${faucetAmounts.token} of each payment token. 'tokenTransactions' has a transaction for each token; the first one, which is also 'tokenTransaction', is mined last.`,
      paramNames: ["address"],
      params: z.tuple([address]),
      result: z.strictObject({
        nativeTransaction: hexHash,
        tokenTransaction: hexHash,
        tokenTransactions: z.array(hexHash),
      }),
      errors: [refusedByPool],
      examples: [{ summary: "A developer account", params: [developer] }],
    },
  }),
};
