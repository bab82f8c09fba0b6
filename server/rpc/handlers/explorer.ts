/**
 * explorer_ methods for lists, search, decoding and the network's description. Each list is read in display order, plus
 * one extra row that shows whether there is a next page.
 */
import { blockCursor, indexCursor, transactionCursor } from "@/lib/rpc/cursor";
import { methodList } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import { toNextBlockFacts } from "@/server/chain/blockEnv";
import type { MinedTransaction } from "@/server/ethereum/types";
import { getDecoder } from "@/server/explorer/decoder";
import { search } from "@/server/explorer/search";
import { listTerms, matches, toFilter } from "@/server/explorer/transactionTerms";
import {
  encodeBlockSummary,
  encodeNetwork,
  encodePending,
  encodeSummary,
  readPage,
  toPage,
} from "@/server/rpc/encodeExplorer";
import { getBlock } from "@/server/rpc/lookup";
import { handlers } from "@/server/rpc/ports";

export const explorerHandlers = {
  ...handlers(["index"], {
    explorer_getBlocks: ({ index }, page) =>
      readPage(page, index.listHeaders, encodeBlockSummary, ({ header }) => blockCursor.encode(header.number)),

    explorer_getTransactions: ({ index }, { filter, ...page }) =>
      readPage(
        page,
        (more) => index.listTransactions({ ...more, filter: toFilter(filter) }),
        encodeSummary,
        transactionCursor.encode,
      ),
  }),

  ...handlers(["chain", "blocks"], {
    explorer_getBlockTransactions: async ({ chain, blocks }, ref, { after, limit, filter }) => {
      const block = await getBlock({ chain, blocks }, ref);
      const receipts = (await blocks.findReceipts(block.header.number)) ?? [];
      const { hash: blockHash, number: blockNumber, timestamp: blockTimestamp } = block.header;
      const wanted = toFilter(filter);
      const rows: MinedTransaction[] = [];
      for (let index = after + 1; index < block.transactions.length && rows.length <= limit; index++) {
        const transaction = block.transactions[index]!;
        const receipt = receipts[index]!;
        if (wanted.length > 0 && !matches(listTerms(transaction, receipt), wanted)) continue;
        rows.push({ transaction, receipt, blockHash, blockNumber, blockTimestamp, index });
      }
      return toPage(rows, limit, encodeSummary, (row) => indexCursor.encode(row.index));
    },
  }),

  ...handlers(["pool", "calls"], {
    explorer_getPendingTransactions: ({ pool, calls }, { limit }) => {
      const counts = pool.counts();
      const items = pool
        .listByTurn(toNextBlockFacts(calls.spec, calls.nextEnv()), limit)
        .map((entry) => encodePending(entry, pool.findStatus(entry.transaction.hash)?.missingNonce));
      return { items, pending: toQuantity(counts.pending), queued: toQuantity(counts.queued) };
    },
  }),

  ...handlers(["head"], {
    explorer_getNetwork: ({ head, network }) => {
      const { number, hash, timestamp } = head.head();
      const newest = { number: toQuantity(number), hash, timestamp: toQuantity(timestamp) };
      return encodeNetwork(network, { genesisHash: head.genesisHash, head: newest });
    },
  }),

  ...handlers(["lookups", "names", "resources", "serves"], {
    explorer_search: ({ lookups, names, resources, serves }, text) =>
      search({ lookups, names: names(), resources: resources(), methods: methodList.filter(serves) }, text),
  }),

  ...handlers([], {
    explorer_decode: (_context, items) => {
      const { decode } = getDecoder();
      return items.map((item) => decode(item));
    },
  }),

  ...handlers(["faucet"], {
    explorer_fund: async ({ faucet, caller }, recipient) => {
      const { native, tokens } = await faucet(recipient, caller);
      return { nativeTransaction: native, tokenTransaction: tokens[0], tokenTransactions: tokens };
    },
  }),
};
