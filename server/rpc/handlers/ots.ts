/** The methods that Otterscan uses. Where Erigon and anvil behave differently, these methods follow Erigon. */
import type { BlockRef } from "@/lib/rpc/codec";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { toQuantity } from "@/lib/units";
import { traceTransactionByHash } from "@/server/chain/traces";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Hash, MinedTransaction } from "@/server/ethereum/types";
import { listAddressBlocks } from "@/server/explorer/addressBlocks";
import { findByNonce } from "@/server/explorer/nonceSearch";
import type { CallSource } from "@/server/ports/chain";
import { encodeHeader, encodeMinedReceipt, encodeMinedTransaction } from "@/server/rpc/encode";
import { encodeBlockDetails, encodeBlockTransactions, listOperations, toTraceEntries } from "@/server/rpc/encodeOts";
import { toServerError } from "@/server/rpc/errors";
import { type BlockSource, findBlock, findNumber } from "@/server/rpc/lookup";
import { handlers } from "@/server/rpc/ports";

const toRef = (block: number | BlockRef): BlockRef => (typeof block === "number" ? { number: block } : block);

export const otsHandlers = {
  ...handlers([], {
    ots_getApiLevel: () => 8,
  }),

  ...handlers(["chain", "state"], {
    ots_hasCode: async ({ chain, state }, account, block) => {
      const found = await state.findAccount(account, await chain.resolve(toRef(block)));
      return found !== undefined && found.codeHash !== emptyCodeHash;
    },
  }),

  ...handlers(["chain", "blocks"], {
    erigon_getHeaderByNumber: async ({ chain, blocks }, block) => {
      const number = await findNumber(chain, toRef(block));
      const header = number === undefined ? undefined : await blocks.findHeader(number);
      return header ? encodeHeader(header) : null;
    },

    ots_getBlockDetails: (context, block) => getDetails(context, toRef(block)),
    ots_getBlockDetailsByHash: (context, hash) => getDetails(context, { hash }),

    ots_getBlockTransactions: async (context, ref, page, size) => {
      const found = await findWithReceipts(context, toRef(ref));
      return found ? encodeBlockTransactions(found, page, size) : null;
    },
  }),

  ...handlers(["chain", "index"], {
    ots_searchTransactionsBefore: async ({ chain, index }, address, block, size) => {
      const next = chain.head().number + 1;
      const end = block === 0 ? next : Math.min(block, next);
      const { rows, hasMore } = await listAddressBlocks(index, address, { before: end }, size);
      return encodeHistory(rows, { firstPage: block === 0, lastPage: !hasMore });
    },

    ots_searchTransactionsAfter: async ({ chain, index }, address, block, size) => {
      const after = Math.min(block, chain.head().number);
      const { rows, hasMore } = await listAddressBlocks(index, address, { after }, size);
      return encodeHistory(rows.reverse(), { firstPage: !hasMore, lastPage: block === 0 });
    },
  }),

  ...handlers(["chain", "blocks", "state", "pool"], {
    ots_getTransactionBySenderAndNonce: async (context, sender, nonce) =>
      (await findByNonce(context, sender, BigInt(nonce)))?.hash ?? null,
  }),

  ...handlers(["calls"], {
    ots_getInternalOperations: async ({ calls }, hash) => listOperations(await trace(calls, hash)),
    ots_traceTransaction: async ({ calls }, hash) => toTraceEntries(await trace(calls, hash)),

    ots_getTransactionError: async ({ calls }, hash) => {
      const { error, output = "0x" } = await trace(calls, hash, true);
      return error === undefined ? "0x" : output;
    },
  }),

  ...handlers(["calls", "index"], {
    ots_getContractCreator: async ({ calls, index }, address) => {
      const mined = await index.findAddressTransaction(address, "created");
      if (!mined) return null;
      const { hash, from } = mined.transaction;
      if (mined.receipt.contractAddress === address) return { hash, creator: from };
      // The transaction didn't create the contract directly, so another contract created it.
      const entries = toTraceEntries(await trace(calls, hash));
      const creation = entries.findLast(({ type, to }) => type.startsWith("CREATE") && to === address);
      return { hash, creator: creation?.from ?? from };
    },
  }),
};

async function findWithReceipts(source: BlockSource, ref: BlockRef) {
  const block = await findBlock(source, ref);
  const receipts = block && (await source.blocks.findReceipts(block.header.number));
  return block && receipts && { block, receipts };
}

async function getDetails(source: BlockSource, ref: BlockRef) {
  const found = await findWithReceipts(source, ref);
  return found ? encodeBlockDetails(source.chain.spec, found) : null;
}

function encodeHistory(rows: MinedTransaction[], ends: { firstPage: boolean; lastPage: boolean }) {
  return {
    txs: rows.map(encodeMinedTransaction),
    receipts: rows.map((row) => ({ ...encodeMinedReceipt(row), timestamp: toQuantity(row.blockTimestamp) })),
    ...ends,
  };
}

/** Throws RpcError if the transaction is not mined. */
async function trace(calls: CallSource, hash: Hash, onlyTopCall = false): Promise<WireCallFrame> {
  const traced = await traceTransactionByHash(calls, hash, { tracer: "callTracer", onlyTopCall, withLog: false });
  if (!traced) throw toServerError("transaction not found");
  return JSON.parse(traced.trace.json) as WireCallFrame;
}
