/**
 * Account state at a block. An account that does not exist reads as empty; an unknown block is an error.
 */

import { toQuantity } from "@/lib/units";
import { toHex, zeroWord } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { handlers } from "@/server/rpc/ports";

export const stateHandlers = {
  ...handlers(["chain", "state"], {
    eth_getBalance: async ({ chain, state }, account, ref) => {
      const found = await state.findAccount(account, await chain.resolve(ref));
      return toQuantity(found?.balance ?? 0n);
    },

    eth_getCode: async ({ chain, state }, account, ref) => {
      const found = await state.findAccount(account, await chain.resolve(ref));
      if (!found || found.codeHash === emptyCodeHash) return "0x";
      const code = await state.findCode(found.codeHash);
      return code ? toHex(code) : "0x";
    },

    eth_getStorageAt: async ({ chain, state }, account, slot, ref) =>
      (await state.findSlot(account, slot, await chain.resolve(ref))) ?? zeroWord,
  }),

  ...handlers(["chain", "state", "pool"], {
    /** `pending` counts the sender's transactions in the pool, so that a wallet can send several in a row. */
    eth_getTransactionCount: async ({ chain, state, pool }, account, ref) => {
      const found = await state.findAccount(account, await chain.resolve(ref));
      const mined = found?.nonce ?? 0n;
      const next = "tag" in ref && ref.tag === "pending" ? pool.nextNonce(account) : undefined;
      return toQuantity(next !== undefined && next > mined ? next : mined);
    },
  }),
};
