/**
 * explorer_ lists and the network's own figures. Each list is read by its index in display order; one extra row tells
 * whether there is a next page.
 */
import { blockCursor, indexCursor, transactionCursor } from "@/lib/rpc/cursor";
import { toQuantity } from "@/lib/units";
import type { MinedTransaction } from "@/server/ethereum/types";
import type { Handler } from "@/server/rpc/context";
import { encodeNetwork, encodePending, encodeSummary, toPage } from "@/server/rpc/encodeExplorer";
import { toServerError } from "@/server/rpc/errors";
import { getBlock } from "@/server/rpc/lookup";

const toTransactionPage = (rows: MinedTransaction[], limit: number) =>
  toPage(rows, limit, encodeSummary, (row) => transactionCursor.encode(row));

export const explorer_getBlocks: Handler<"explorer_getBlocks"> = async ({ chain }, { limit, ...page }) => {
  const rows = await chain.store.listHeaders({ ...page, limit: limit + 1 });
  return toPage(
    rows,
    limit,
    ({ header, transactionCount, size }) => ({
      number: toQuantity(header.number),
      hash: header.hash,
      timestamp: toQuantity(header.timestamp),
      miner: header.coinbase,
      gasUsed: toQuantity(header.gasUsed),
      gasLimit: toQuantity(header.gasLimit),
      baseFeePerGas: header.baseFeePerGas === undefined ? null : toQuantity(header.baseFeePerGas),
      transactionCount: toQuantity(transactionCount),
      size: toQuantity(size),
    }),
    ({ header }) => blockCursor.encode(header.number),
  );
};

export const explorer_getTransactions: Handler<"explorer_getTransactions"> = async ({ chain }, { limit, ...page }) =>
  toTransactionPage(await chain.store.listTransactions({ ...page, limit: limit + 1 }), limit);

export const explorer_getBlockTransactions: Handler<"explorer_getBlockTransactions"> = async (
  { chain },
  ref,
  { after, limit },
) => {
  const block = await getBlock(chain, ref);
  const receipts = (await chain.store.findReceipts(block.header.number)) ?? [];
  const { hash: blockHash, number: blockNumber, timestamp: blockTimestamp } = block.header;
  const from = after + 1;
  const rows = block.transactions.slice(from, from + limit + 1).map((transaction, offset): MinedTransaction => {
    const index = from + offset;
    return { transaction, receipt: receipts[index]!, blockHash, blockNumber, blockTimestamp, index };
  });
  return toPage(rows, limit, encodeSummary, (row) => indexCursor.encode(row.index));
};

export const explorer_getPendingTransactions: Handler<"explorer_getPendingTransactions"> = ({ chain }, { limit }) => {
  const counts = chain.pool.counts();
  const items = chain.pool
    .list()
    .slice(0, limit)
    .map((entry) => encodePending(entry, chain.pool.findStatus(entry.transaction.hash)?.missingNonce));
  return { items, pending: toQuantity(counts.pending), queued: toQuantity(counts.queued) };
};

export const explorer_getNetwork: Handler<"explorer_getNetwork"> = ({ chain, network }) => {
  const { number, hash, timestamp } = chain.head();
  const head = { number: toQuantity(number), hash, timestamp: toQuantity(timestamp) };
  return encodeNetwork(network, { genesisHash: chain.genesisHash, head });
};

export const explorer_fund: Handler<"explorer_fund"> = async ({ fund, network, caller }, recipient) => {
  if (!fund) throw toServerError(`the network ${network.name} has no faucet`);
  const { native, token } = await fund(recipient, caller);
  return { nativeTransaction: native, tokenTransaction: token };
};
