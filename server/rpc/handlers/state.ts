/**
 * Account state at a block. An account that does not exist reads as empty; an unknown block is an error.
 */

import { toQuantity } from "@/lib/units";
import { toHex, zeroWord } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Handler } from "@/server/rpc/context";

export const eth_getBalance: Handler<"eth_getBalance"> = async ({ chain }, account, ref) => {
  const found = await chain.store.findAccount(account, await chain.resolve(ref));
  return toQuantity(found?.balance ?? 0n);
};

/** pending counts the sender's transactions in the pool, so that a wallet can send several in a row. */
export const eth_getTransactionCount: Handler<"eth_getTransactionCount"> = async ({ chain }, account, ref) => {
  const found = await chain.store.findAccount(account, await chain.resolve(ref));
  const mined = found?.nonce ?? 0n;
  const next = "tag" in ref && ref.tag === "pending" ? chain.pool.nextNonce(account) : undefined;
  return toQuantity(next !== undefined && next > mined ? next : mined);
};

export const eth_getCode: Handler<"eth_getCode"> = async ({ chain }, account, ref) => {
  const found = await chain.store.findAccount(account, await chain.resolve(ref));
  if (!found || found.codeHash === emptyCodeHash) return "0x";
  const code = await chain.store.findCode(found.codeHash);
  return code ? toHex(code) : "0x";
};

export const eth_getStorageAt: Handler<"eth_getStorageAt"> = async ({ chain }, account, slot, ref) =>
  (await chain.store.findSlot(account, slot, await chain.resolve(ref))) ?? zeroWord;
