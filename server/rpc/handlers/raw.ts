/**
 * Returns blocks, headers, transactions and receipts in their consensus encodings. Unlike other lookups, these methods
 * return an error if the item is missing (execution-apis).
 */

import { encodeBlock } from "@/server/ethereum/codec/block";
import { toHex } from "@/server/ethereum/codec/bytes";
import { encodeHeader } from "@/server/ethereum/codec/header";
import { encodeReceipt } from "@/server/ethereum/codec/receipt";
import { toServerError } from "@/server/rpc/errors";
import { getBlock } from "@/server/rpc/lookup";
import { handlers } from "@/server/rpc/ports";

export const rawHandlers = {
  ...handlers(["chain", "blocks"], {
    debug_getRawBlock: async (context, ref) => toHex(encodeBlock(await getBlock(context, ref))),

    debug_getRawReceipts: async ({ chain, blocks }, ref) => {
      const receipts = await blocks.findReceipts(await chain.resolve(ref));
      return (receipts ?? []).map((receipt) => toHex(encodeReceipt(receipt)));
    },
  }),

  ...handlers(["chain"], {
    debug_getRawHeader: async ({ chain }, ref) => toHex(encodeHeader(await chain.getHeader(ref))),
  }),

  ...handlers(["blocks", "pool"], {
    debug_getRawTransaction: async ({ blocks, pool }, hash) => {
      const waiting = pool.findTransaction(hash);
      const transaction = (await blocks.findTransaction(hash))?.transaction ?? waiting;
      if (!transaction) throw toServerError("transaction not found");
      return toHex(transaction.raw);
    },
  }),
};
