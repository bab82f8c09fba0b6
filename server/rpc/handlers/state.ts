/**
 * Account state at a block. If an account does not exist, its values are those of an empty account. If the block is
 * unknown, the method returns an error.
 */

import { toQuantity } from "@/lib/units";
import { toHex, zeroWord } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Address, BlockRef } from "@/server/ethereum/types";
import { findPreview } from "@/server/rpc/lookup";
import { handlers, type Ports } from "@/server/rpc/ports";

export const stateHandlers = {
  ...handlers(["chain", "state"], {
    eth_getBalance: async (source, address, ref) => {
      const { account } = await findAccountAt(source, address, ref);
      return toQuantity(account?.balance ?? 0n);
    },

    eth_getCode: async (source, address, ref) => {
      const { account, changes } = await findAccountAt(source, address, ref);
      if (!account || account.codeHash === emptyCodeHash) return "0x";
      const created = changes?.codes.find(({ hash }) => hash === account.codeHash)?.code;
      const code = created ?? (await source.state.findCode(account.codeHash));
      return code ? toHex(code) : "0x";
    },

    eth_getStorageAt: async ({ chain, state }, address, slot, ref) => {
      const preview = await findPreview(chain, ref);
      const written = preview?.state.storage.find((row) => row.address === address && row.slot === slot);
      return (written ? written.value : await state.findSlot(address, slot, await chain.resolve(ref))) ?? zeroWord;
    },
  }),

  ...handlers(["chain", "state", "pool"], {
    /**
     * With the `pending` tag, the count includes the sender's transactions in the pool, so that a wallet can send
     * several in a row.
     */
    eth_getTransactionCount: async ({ chain, state, pool }, account, ref) => {
      const found = await state.findAccount(account, await chain.resolve(ref));
      const mined = found?.nonce ?? 0n;
      const next = "tag" in ref && ref.tag === "pending" ? pool.nextNonce(account) : undefined;
      return toQuantity(next !== undefined && next > mined ? next : mined);
    },
  }),
};

/** Finds an account at a block. For the pending block, also returns the block's state changes. */
async function findAccountAt({ chain, state }: Pick<Ports, "chain" | "state">, address: Address, ref: BlockRef) {
  const changes = (await findPreview(chain, ref))?.state;
  const changed = changes?.accounts.find((row) => row.address === address);
  return { account: changed ? changed.account : await state.findAccount(address, await chain.resolve(ref)), changes };
}
