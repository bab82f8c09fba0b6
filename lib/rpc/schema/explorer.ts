/**
 * explorer_ methods: lists and search for the pages and other tools. Lists are newest first and paged by an opaque
 * cursor: pass next as before; null means there are no more rows.
 */
import { z } from "zod";
import { address, blockRef, hexHash, hexQuantity } from "@/lib/rpc/codec";
import { blockCursor, indexCursor, transactionCursor } from "@/lib/rpc/cursor";
import { blockSummaryShape, pendingSummaryShape, transactionSummaryShape } from "@/lib/rpc/explorerShapes";
import { limit, paged } from "@/lib/rpc/page";
import { defineMethod } from "@/lib/rpc/schema/define";
import { refusedByPool } from "@/lib/rpc/schema/errors";
import { ofBlock } from "@/lib/rpc/schema/live";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

function page<Cursor extends z.ZodType>(cursor: Cursor) {
  return z
    .object({ before: cursor.nullish(), limit })
    .nullish()
    .transform((given) => {
      const before = given?.before as z.output<Cursor> | null | undefined;
      return before == null ? { limit: given?.limit ?? 25 } : { before, limit: given?.limit ?? 25 };
    });
}

export const explorer_getBlocks = defineMethod({
  name: "explorer_getBlocks",
  summary: "Blocks, newest first.",
  effect: "reads",
  paramNames: ["page"],
  params: z.tuple([page(blockCursor)]),
  result: paged(blockSummaryShape),
  isExported: true,
  cursor: "before",
  examples: [{ summary: "The newest ten", params: [{ limit: 10 }] }],
});

export const explorer_getTransactions = defineMethod({
  name: "explorer_getTransactions",
  summary: "Mined transactions, newest first.",
  effect: "reads",
  paramNames: ["page"],
  params: z.tuple([page(transactionCursor)]),
  result: paged(transactionSummaryShape),
  isExported: true,
  cursor: "before",
  examples: [{ summary: "The newest ten", params: [{ limit: 10 }] }],
});

export const explorer_getBlockTransactions = defineMethod({
  name: "explorer_getBlockTransactions",
  summary: "Transactions of one block in block order; hand back next as after.",
  effect: "reads",
  paramNames: ["block", "page"],
  params: z.tuple([
    blockRef,
    z
      .object({ after: indexCursor.nullish(), limit })
      .nullish()
      .transform((given) => ({ after: given?.after ?? -1, limit: given?.limit ?? 25 })),
  ]),
  result: paged(transactionSummaryShape),
  isExported: true,
  cursor: "after",
  examples: [{ summary: "Of the newest block", params: ["latest", { limit: 10 }] }],
  toLiveExamples: ofBlock("Of a block", ({ number }) => [number, { limit: 10 }]),
});

export const explorer_getPendingTransactions = defineMethod({
  name: "explorer_getPendingTransactions",
  summary: "Transactions that wait in the pool, those next in line first.",
  effect: "reads",
  paramNames: ["page"],
  params: z.tuple([
    z
      .object({ limit })
      .nullish()
      .transform((given) => given ?? { limit: 25 }),
  ]),
  result: z.strictObject({ items: z.array(pendingSummaryShape), pending: hexQuantity, queued: hexQuantity }),
  isExported: true,
  examples: [{ summary: "The first ten", params: [{ limit: 10 }] }],
});

export const explorer_search = defineMethod({
  name: "explorer_search",
  summary: "What a block number, a hash or an address names; answers also as what the text was looked up.",
  effect: "reads",
  paramNames: ["text"],
  params: z.tuple([z.string().max(200, "text is longer than 200 characters")]),
  result: z.strictObject({
    items: z.array(
      z.strictObject({
        kind: z.enum(["block", "transaction", "address", "pending"]),
        /** A decimal block number, or the hash or address. */
        id: z.string(),
        label: z.string(),
      }),
    ),
    lookedUp: z.array(z.enum(["block number", "block hash", "transaction hash", "address"])),
  }),
  isExported: true,
  examples: [
    { summary: "A block number", params: ["0"] },
    { summary: "An address", params: [developer] },
  ],
  toLiveExamples: async ({ transaction, account }) => {
    const found = await transaction();
    const texts = [...(found ? [found.hash] : []), await account(), "0"];
    return texts.map((text) => ({ summary: `What ${text.slice(0, 10)} names`, params: [text] }));
  },
});

export const explorer_getNetwork = defineMethod({
  name: "explorer_getNetwork",
  summary: "The network this endpoint serves, its tokens, where the contracts of payments stand, and its head.",
  effect: "reads",
  paramNames: [],
  params: z.tuple([]),
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
});

export const explorer_fund = defineMethod({
  name: "explorer_fund",
  summary: "Faucet of an embedded network: sends 10 of the native currency and 100 of the token.",
  effect: "signs",
  paramNames: ["address"],
  params: z.tuple([address]),
  result: z.strictObject({ nativeTransaction: hexHash, tokenTransaction: hexHash }),
  errors: [refusedByPool],
  examples: [{ summary: "A developer account", params: [developer] }],
});
