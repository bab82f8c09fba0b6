/** Consensus encodings. Unlike other lookups, these return an error for a missing item (execution-apis). */

import { encodeBlock } from "@/server/ethereum/codec/block";
import { toHex } from "@/server/ethereum/codec/bytes";
import { encodeHeader } from "@/server/ethereum/codec/header";
import { encodeReceipt } from "@/server/ethereum/codec/receipt";
import type { Handler } from "@/server/rpc/context";
import { toServerError } from "@/server/rpc/errors";
import { getBlock } from "@/server/rpc/lookup";

export const debug_getRawBlock: Handler<"debug_getRawBlock"> = async ({ chain }, ref) =>
  toHex(encodeBlock(await getBlock(chain, ref)));

export const debug_getRawHeader: Handler<"debug_getRawHeader"> = async ({ chain }, ref) =>
  toHex(encodeHeader(await chain.getHeader(ref)));

export const debug_getRawReceipts: Handler<"debug_getRawReceipts"> = async ({ chain }, ref) => {
  const receipts = await chain.store.findReceipts(await chain.resolve(ref));
  return (receipts ?? []).map((receipt) => toHex(encodeReceipt(receipt)));
};

export const debug_getRawTransaction: Handler<"debug_getRawTransaction"> = async ({ chain }, hash) => {
  const waiting = chain.pool.findTransaction(hash);
  const transaction = (await chain.store.findTransaction(hash))?.transaction ?? waiting;
  if (!transaction) throw toServerError("transaction not found");
  return toHex(transaction.raw);
};
