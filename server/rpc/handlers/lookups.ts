/** Lookups that execution-apis lacks but tools expect. A missing block or transaction returns null. */
import type { BlockRef } from "@/lib/rpc/codec";
import { toQuantity } from "@/lib/units";
import { toHex, zeroWord } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { findByNonce } from "@/server/explorer/nonceSearch";
import { encodeHeader, encodeMinedTransaction, encodeTransaction } from "@/server/rpc/encode";
import { type BlockSource, findBlock, findNumber } from "@/server/rpc/lookup";
import { handlers } from "@/server/rpc/ports";
import { proveAccount } from "@/server/rpc/proveAccount";

export const lookupsHandlers = {
  ...handlers([], {
    eth_hashrate: () => "0x0",
    eth_mining: ({ network }) => !network.settings.noMining,
    eth_networkId: ({ network }) => String(network.chainId),
    eth_protocolVersion: () => 1,
  }),

  ...handlers(["calls"], {
    eth_coinbase: ({ calls }) => calls.nextEnv().coinbase,
  }),

  ...handlers(["chain", "state"], {
    eth_getAccount: async (context, account, ref) => {
      const { nonce, balance, storageHash, codeHash } = await proveAccount(context, account, ref);
      return { nonce: toQuantity(nonce), balance: toQuantity(balance), storageRoot: storageHash, codeHash };
    },

    eth_getAccountInfo: async ({ chain, state }, account, ref) => {
      const found = await state.findAccount(account, await chain.resolve(ref));
      const { nonce = 0n, balance = 0n, codeHash = emptyCodeHash } = found ?? {};
      const code = codeHash === emptyCodeHash ? undefined : await state.findCode(codeHash);
      return { nonce: toQuantity(nonce), balance: toQuantity(balance), code: code ? toHex(code) : "0x" };
    },

    eth_getStorageValues: async ({ chain, state }, slots, ref) => {
      const block = await chain.resolve(ref);
      const entries = Object.entries(slots).map(async ([account, keys]) => {
        const values = keys.map(
          async (slot) => (await state.findSlot(account as `0x${string}`, slot, block)) ?? zeroWord,
        );
        return [account, await Promise.all(values)] as const;
      });
      return Object.fromEntries(await Promise.all(entries));
    },

    debug_codeByHash: async ({ state }, hash) => {
      const code = await state.findCode(hash);
      return code ? toHex(code) : null;
    },
  }),

  ...handlers(["chain", "blocks", "state", "pool"], {
    eth_getTransactionBySenderAndNonce: async (context, sender, nonce) => {
      const found = await findByNonce(context, sender, nonce);
      const mined = found && (await context.blocks.findTransaction(found.hash));
      if (mined) return encodeMinedTransaction(mined);
      const waiting = found && context.pool.findTransaction(found.hash);
      return waiting ? encodeTransaction(waiting, undefined) : null;
    },
  }),

  ...handlers(["blocks", "pool"], {
    eth_getRawTransactionByHash: async ({ blocks, pool }, hash) => {
      const waiting = pool.findTransaction(hash);
      const transaction = (await blocks.findTransaction(hash))?.transaction ?? waiting;
      return transaction ? toHex(transaction.raw) : null;
    },
  }),

  ...handlers(["chain", "blocks"], {
    eth_getRawTransactionByBlockHashAndIndex: getRawAt,
    eth_getRawTransactionByBlockNumberAndIndex: getRawAt,
    eth_getUncleCountByBlockHash: countUncles,
    eth_getUncleCountByBlockNumber: countUncles,
    eth_getUncleByBlockHashAndIndex: getUncleAt,
    eth_getUncleByBlockNumberAndIndex: getUncleAt,
  }),
};

async function getRawAt({ chain, blocks }: BlockSource, ref: BlockRef, index: number) {
  const number = await findNumber(chain, ref);
  const mined = number === undefined ? undefined : await blocks.findTransactionAt(number, index);
  return mined ? toHex(mined.transaction.raw) : null;
}

async function countUncles(source: BlockSource, ref: BlockRef) {
  const block = await findBlock(source, ref);
  return block ? toQuantity(block.ommers.length) : null;
}

async function getUncleAt(source: BlockSource, ref: BlockRef, index: number) {
  const uncle = (await findBlock(source, ref))?.ommers[index];
  return uncle ? encodeHeader(uncle) : null;
}
