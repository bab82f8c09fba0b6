/** Consensus encodings. Unlike other lookups, these return an error for a missing item (execution-apis). */

import { encodeBlock } from "@/server/ethereum/codec/block";
import { toHex } from "@/server/ethereum/codec/bytes";
import { encodeHeader } from "@/server/ethereum/codec/header";
import { encodeReceipt } from "@/server/ethereum/codec/receipt";
import { toServerError } from "@/server/rpc/errors";
import { getBlock } from "@/server/rpc/lookup";
import { handler } from "@/server/rpc/ports";

export const debug_getRawBlock = handler("debug_getRawBlock", ["chain", "blocks"], async (context, ref) =>
  toHex(encodeBlock(await getBlock(context, ref))),
);

export const debug_getRawHeader = handler("debug_getRawHeader", ["chain"], async ({ chain }, ref) =>
  toHex(encodeHeader(await chain.getHeader(ref))),
);

export const debug_getRawReceipts = handler(
  "debug_getRawReceipts",
  ["chain", "blocks"],
  async ({ chain, blocks }, ref) => {
    const receipts = await blocks.findReceipts(await chain.resolve(ref));
    return (receipts ?? []).map((receipt) => toHex(encodeReceipt(receipt)));
  },
);

export const debug_getRawTransaction = handler(
  "debug_getRawTransaction",
  ["blocks", "pool"],
  async ({ blocks, pool }, hash) => {
    const waiting = pool.findTransaction(hash);
    const transaction = (await blocks.findTransaction(hash))?.transaction ?? waiting;
    if (!transaction) throw toServerError("transaction not found");
    return toHex(transaction.raw);
  },
);
