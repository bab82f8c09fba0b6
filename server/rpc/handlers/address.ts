/** explorer_ methods for one address, served from the read model, the log index and the flat state. */
import { mostAddressRows } from "@/lib/addressCounts";
import { internalCursor, logCursor, nftCursor, slotCursor, transactionCursor } from "@/lib/rpc/cursor";
import type { InternalTransferRow, TokenTransferRow } from "@/lib/rpc/explorerAddressShapes";
import { toQuantity } from "@/lib/units";
import type { Hash, MinedTransaction } from "@/server/ethereum/types";
import { listNewestLogs } from "@/server/explorer/newestLogs";
import { listNamedSelectors } from "@/server/explorer/selectors";
import { findSlotKeys } from "@/server/explorer/slotKeys";
import { toMethod } from "@/server/explorer/summary";
import type { InternalTransferRecord, TokenTransferRecord } from "@/server/ports/store";
import { encodeLog } from "@/server/rpc/encode";
import { encodeSummary, readPage } from "@/server/rpc/encodeExplorer";
import { handlers } from "@/server/rpc/ports";

export const addressHandlers = {
  ...handlers(["index"], {
    explorer_getAddress: async ({ index }, address) => {
      const first = await index.findAddressTransaction(address, "first");
      const last = first && (await index.findAddressTransaction(address, "last"));
      const creation = first && (await index.findAddressTransaction(address, "created"));
      const counts = await index.countAddressRows(address, mostAddressRows);
      return {
        firstSeen: first ? encodePlace(first.transaction.hash, first) : null,
        lastSeen: last ? encodePlace(last.transaction.hash, last) : null,
        creation: creation
          ? { ...encodePlace(creation.transaction.hash, creation), from: creation.transaction.from }
          : null,
        counts: {
          transactions: toQuantity(counts.transactions),
          tokenTransfers: toQuantity(counts.tokenTransfers),
          internalTransfers: toQuantity(counts.internalTransfers),
        },
      };
    },

    explorer_getAddressTransactions: ({ index }, address, page) =>
      readPage(
        page,
        (more) => index.listAddressTransactions(address, more),
        (row) => ({ ...encodeSummary(row), direction: row.direction }),
        transactionCursor.encode,
      ),

    explorer_getInternalTransfers: ({ index }, address, page) =>
      readPage(
        page,
        (more) => index.listInternalTransfers(address, more),
        encodeInternalTransfer,
        internalCursor.encode,
      ),

    explorer_getNfts: ({ index }, address, page) =>
      readPage(
        page,
        (more) => index.listNfts(address, more),
        ({ token, tokenId, amount }) => ({ token, tokenId: toQuantity(tokenId), amount: toQuantity(amount) }),
        nftCursor.encode,
      ),

    explorer_getTokenTransfers: ({ index }, filter, page) =>
      readPage(page, (more) => index.listTokenTransfers(filter, more), encodeTokenTransfer, logCursor.encode),
  }),

  ...handlers(["chain", "blocks"], {
    explorer_getLogs: ({ chain, blocks }, address, { before, ...page }) =>
      readPage(
        page,
        (more) => listNewestLogs(blocks, { address, ...more, toBlock: chain.head().number, ...(before && { before }) }),
        encodeLog,
        logCursor.encode,
      ),
  }),

  ...handlers(["chain", "state"], {
    explorer_getStorage: async ({ chain, state }, address, ref, page) => {
      const block = await chain.resolve(ref);
      return readPage(
        page,
        (more) => state.listSlots(address, block, more),
        (row) => row,
        ({ slot }) => slotCursor.encode(slot),
      );
    },
  }),

  ...handlers(["calls"], {
    explorer_getSlotKeys: async ({ calls }, address, slots, ref) => {
      const found = await findSlotKeys(calls, address, slots, await calls.resolve(ref));
      return found.map((keys) => ({ ...keys, offset: toQuantity(keys.offset) }));
    },
  }),

  ...handlers(["lookups"], {
    explorer_getSelectors: async ({ lookups }, address) => {
      const code = await lookups.findCode(address);
      return { codeSize: toQuantity(code.length), ...listNamedSelectors(code) };
    },
  }),
};

function encodePlace(
  transactionHash: Hash,
  { blockNumber, blockTimestamp }: Pick<MinedTransaction, "blockNumber" | "blockTimestamp">,
) {
  return { blockNumber: toQuantity(blockNumber), timestamp: toQuantity(blockTimestamp), transactionHash };
}

function encodeInternalTransfer(row: InternalTransferRecord): InternalTransferRow {
  const { kind, from, to, value, sequence } = row;
  const amounts = { value: toQuantity(value), sequence: toQuantity(sequence) };
  return { ...encodeOrigin(row), kind, from, to, ...amounts };
}

function encodeTokenTransfer(row: TokenTransferRecord): TokenTransferRow {
  const { logIndex, token, from, to, amount } = row;
  const amounts = { logIndex: toQuantity(logIndex), amount: toQuantity(amount) };
  return { ...encodeOrigin(row), token, from, to, ...amounts };
}

/** The transaction that made a transfer: where it is, and what it called. */
function encodeOrigin(row: InternalTransferRecord | TokenTransferRecord) {
  const { hash, to, input } = row.transaction;
  return { ...encodePlace(hash, row), calledContract: to ?? null, ...toMethod(to, input) };
}
