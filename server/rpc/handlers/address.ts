/** explorer_ methods for one address, read from the read model, the log index and the flat state. */
import { internalCursor, logCursor, slotCursor, transactionCursor } from "@/lib/rpc/cursor";
import { toQuantity } from "@/lib/units";
import type { MinedTransaction } from "@/server/ethereum/types";
import { listNewestLogs } from "@/server/explorer/newestLogs";
import { listNamedSelectors } from "@/server/explorer/selectors";
import { encodeLog } from "@/server/rpc/encode";
import { encodeSummary, toPage } from "@/server/rpc/encodeExplorer";
import { handlers } from "@/server/rpc/ports";

function toPlace({ transaction, blockNumber, blockTimestamp }: MinedTransaction) {
  return {
    blockNumber: toQuantity(blockNumber),
    timestamp: toQuantity(blockTimestamp),
    transactionHash: transaction.hash,
  };
}

export const addressHandlers = {
  ...handlers(["index"], {
    explorer_getAddress: async ({ index }, address) => {
      const first = await index.findAddressTransaction(address, "first");
      const last = first && (await index.findAddressTransaction(address, "last"));
      const creation = first && (await index.findAddressTransaction(address, "created"));
      return {
        firstSeen: first ? toPlace(first) : null,
        lastSeen: last ? toPlace(last) : null,
        creation: creation ? { ...toPlace(creation), from: creation.transaction.from } : null,
      };
    },

    explorer_getAddressTransactions: async ({ index }, address, { limit, ...page }) =>
      toPage(
        await index.listAddressTransactions(address, { ...page, limit: limit + 1 }),
        limit,
        (row) => ({ ...encodeSummary(row), direction: row.direction }),
        (row) => transactionCursor.encode(row),
      ),

    explorer_getInternalTransfers: async ({ index }, address, { limit, ...page }) =>
      toPage(
        await index.listInternalTransfers(address, { ...page, limit: limit + 1 }),
        limit,
        (row) => ({
          blockNumber: toQuantity(row.blockNumber),
          timestamp: toQuantity(row.blockTimestamp),
          transactionHash: row.transactionHash,
          kind: row.kind,
          from: row.from,
          to: row.to,
          value: toQuantity(row.value),
          sequence: toQuantity(row.sequence),
        }),
        (row) => internalCursor.encode(row),
      ),

    explorer_getTokenTransfers: async ({ index }, filter, { limit, ...page }) =>
      toPage(
        await index.listTokenTransfers(filter, { ...page, limit: limit + 1 }),
        limit,
        (row) => ({
          blockNumber: toQuantity(row.blockNumber),
          timestamp: toQuantity(row.blockTimestamp),
          transactionHash: row.transactionHash,
          logIndex: toQuantity(row.logIndex),
          token: row.token,
          from: row.from,
          to: row.to,
          amount: toQuantity(row.amount),
        }),
        (row) => logCursor.encode(row),
      ),
  }),

  ...handlers(["chain", "blocks"], {
    explorer_getLogs: async ({ chain, blocks }, address, { topics, fromBlock, before, limit }) => {
      const rows = await listNewestLogs(blocks, {
        address,
        topics,
        fromBlock,
        toBlock: chain.head().number,
        ...(before && { before }),
        limit: limit + 1,
      });
      return toPage(rows, limit, encodeLog, (log) => logCursor.encode(log));
    },
  }),

  ...handlers(["chain", "state"], {
    explorer_getStorage: async ({ chain, state }, address, block, { limit, ...page }) =>
      toPage(
        await state.listSlots(address, await chain.resolve(block), { ...page, limit: limit + 1 }),
        limit,
        (row) => row,
        ({ slot }) => slotCursor.encode(slot),
      ),
  }),

  ...handlers(["lookups"], {
    explorer_getSelectors: async ({ lookups }, address) => {
      const code = await lookups.findCode(address);
      return { codeSize: toQuantity(code.length), ...listNamedSelectors(code) };
    },
  }),
};
