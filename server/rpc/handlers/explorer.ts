/**
 * explorer_ lists and the network's own figures. Every list is read by its index in the order it is shown; one row more
 * than asked for tells whether there is a next page.
 */
import type { Network } from "@/lib/networks";
import { blockCursor, indexCursor, transactionCursor } from "@/lib/rpc/cursor";
import type { PendingSummary, TransactionSummary } from "@/lib/rpc/explorerShapes";
import type { RpcResult } from "@/lib/rpc/methods";
import type { PoolEntry } from "@/server/chain/txpool/pool";
import type { MinedTransaction, Transaction } from "@/server/chain/types";
import { findFirstTransfer, toMethod } from "@/server/explorer/summary";
import type { Handler } from "@/server/rpc/context";
import { effectiveGasPrice, toQuantity } from "@/server/rpc/encode";
import { toServerError } from "@/server/rpc/errors";
import { getBlock } from "@/server/rpc/lookup";

function toSummaryBase(transaction: Transaction) {
  return {
    hash: transaction.hash,
    from: transaction.from,
    to: transaction.to ?? null,
    value: toQuantity(transaction.value),
    ...toMethod(transaction.to, transaction.input),
    type: toQuantity(transaction.type),
  };
}

/** A row of a list of mined transactions. */
export function encodeSummary(mined: MinedTransaction): TransactionSummary {
  const { transaction, receipt } = mined;
  return {
    ...toSummaryBase(transaction),
    contractAddress: receipt.contractAddress ?? null,
    blockNumber: toQuantity(mined.blockNumber),
    transactionIndex: toQuantity(mined.index),
    timestamp: toQuantity(mined.blockTimestamp),
    status: receipt.status === undefined ? null : toQuantity(receipt.status),
    gasUsed: toQuantity(receipt.gasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    tokenTransfer: findFirstTransfer(receipt.logs),
  };
}

function encodePending({ transaction, record }: PoolEntry, missingNonce: bigint | undefined): PendingSummary {
  return {
    ...toSummaryBase(transaction),
    contractAddress: null,
    blockNumber: null,
    transactionIndex: null,
    timestamp: null,
    status: null,
    gasUsed: null,
    effectiveGasPrice: null,
    tokenTransfer: null,
    poolStatus: record.status === "queued" ? "queued" : "pending",
    nonce: toQuantity(transaction.nonce),
    maxFeePerGas: toQuantity(effectiveGasPrice(transaction, undefined)),
    missingNonce: missingNonce === undefined ? null : toQuantity(missingNonce),
    seenAt: toQuantity(record.seenAtMs),
  };
}

/** A page of a list; rows holds one more than the limit where a next page exists. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  encode: (row: Row) => Item,
  toCursor: (row: Row) => string,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(encode), next: rows.length > limit && last ? toCursor(last) : null };
}

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

/** What a network is, wherever its chain runs. */
export function encodeNetwork(
  network: Network,
  { genesisHash, head }: Pick<RpcResult<"explorer_getNetwork">, "genesisHash" | "head">,
): RpcResult<"explorer_getNetwork"> {
  const { name, label, chainId, nativeCurrency, tokens, contracts, embedded } = network;
  const id = toQuantity(chainId);
  return { name, label, chainId: id, nativeCurrency, tokens, contracts, embedded, genesisHash, head };
}

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
