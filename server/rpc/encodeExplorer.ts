/**
 * Converts blocks and transactions from the chain and the pool to the wire format of the lists that `explorer_` methods
 * return.
 */
import type { Network } from "@/lib/networks";
import type { BlockSummary, PendingSummary, TransactionSummary } from "@/lib/rpc/explorerShapes";
import type { RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import type { PoolEntry } from "@/server/chain/txpool/state";
import { tipCap } from "@/server/ethereum/fees";
import type { MinedTransaction, Transaction } from "@/server/ethereum/types";
import type { LeftRecord, WaitingRecord } from "@/server/explorer/poolView";
import { findCalledTransfer, findFirstTransfer, toMethod } from "@/server/explorer/summary";
import type { TransactionEffects } from "@/server/explorer/transactionEffects";
import type { BlockRecord } from "@/server/ports/store";
import { effectiveGasPrice } from "@/server/rpc/encode";

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

/** One row in a list of blocks. */
export function encodeBlockSummary({ header, transactionCount, size, payments, failed }: BlockRecord): BlockSummary {
  const { number, hash, timestamp, coinbase, gasUsed, gasLimit, baseFeePerGas } = header;
  return {
    number: toQuantity(number),
    hash,
    timestamp: toQuantity(timestamp),
    miner: coinbase,
    gasUsed: toQuantity(gasUsed),
    gasLimit: toQuantity(gasLimit),
    baseFeePerGas: baseFeePerGas === undefined ? null : toQuantity(baseFeePerGas),
    transactionCount: toQuantity(transactionCount),
    size: toQuantity(size),
    payments: toQuantity(payments),
    failed: toQuantity(failed),
  };
}

/** One row in a list of mined transactions. */
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

export function encodePending({ transaction, record }: PoolEntry, missingNonce: bigint | undefined): PendingSummary {
  return {
    ...toSummaryBase(transaction),
    contractAddress: null,
    blockNumber: null,
    transactionIndex: null,
    timestamp: null,
    status: null,
    gasUsed: null,
    effectiveGasPrice: null,
    tokenTransfer: findCalledTransfer(transaction),
    poolStatus: record.status === "queued" ? "queued" : "pending",
    nonce: toQuantity(transaction.nonce),
    maxFeePerGas: toQuantity(effectiveGasPrice(transaction, undefined)),
    maxPriorityFeePerGas: toQuantity(tipCap(transaction)),
    missingNonce: missingNonce === undefined ? null : toQuantity(missingNonce),
    seenAt: toQuantity(record.seenAtMs),
  };
}

export function encodeEffects({
  blockNumber,
  counts,
  delegations,
}: TransactionEffects): NonNullable<RpcResult<"explorer_getTransactionEffects">> {
  return {
    blockNumber: blockNumber === undefined ? null : toQuantity(blockNumber),
    calls: counts ? toQuantity(counts.calls) : null,
    internalTransactions: counts ? toQuantity(counts.internalTransactions) : null,
    changedAccounts: counts ? toQuantity(counts.changedAccounts) : null,
    authorizations: delegations.map(({ authority, chainId, address, nonce, delegatedTo }) => ({
      authority: authority ?? null,
      chainId: toQuantity(chainId),
      address,
      nonce: toQuantity(nonce),
      delegatedTo: delegatedTo ?? null,
    })),
  };
}

/** A transaction that is in the pool or was removed from it. */
export function encodePoolRecord<Known extends WaitingRecord | LeftRecord>(record: Known) {
  const status: Known["status"] = record.status;
  return {
    hash: record.hash,
    from: record.sender,
    nonce: toQuantity(record.nonce),
    status,
    reason: record.reason ?? null,
    seenAt: toQuantity(record.seenAtMs),
    changedAt: toQuantity(record.changedAtMs),
  };
}

/** One page of a list. If `rows` has one more item than the limit, there is a next page. */
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

/** Describes a network. Works for both embedded and remote chains. */
export function encodeNetwork(
  network: Network,
  { genesisHash, head }: Pick<RpcResult<"explorer_getNetwork">, "genesisHash" | "head">,
): RpcResult<"explorer_getNetwork"> {
  const { name, label, chainId, nativeCurrency, tokens, contracts, embedded } = network;
  const id = toQuantity(chainId);
  return { name, label, chainId: id, nativeCurrency, tokens, contracts, embedded, genesisHash, head };
}

/** Reads one page of a list. Requests one extra row to find out whether there is a next page. */
export async function readPage<Page extends { limit: number }, Row, Item>(
  page: Page,
  list: (page: Page) => Promise<Row[]>,
  encode: (row: Row) => Item,
  toCursor: (row: Row) => string,
) {
  return toPage(await list({ ...page, limit: page.limit + 1 }), page.limit, encode, toCursor);
}
