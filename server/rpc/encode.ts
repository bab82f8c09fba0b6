/**
 * Converts domain values to JSON-RPC wire format (execution-apis). Absent fields are omitted, never undefined, so
 * in-process results equal the results over HTTP.
 */
import type { Hex } from "@/lib/rpc/codec";
import type { WireBlock, WireHeader, WireLog, WireReceipt, WireTransaction } from "@/lib/rpc/shapes";
import { toQuantity } from "@/lib/units";
import type {
  Authorization,
  Block,
  Header,
  Log,
  MinedLog,
  MinedTransaction,
  Receipt,
  Transaction,
} from "@/server/ethereum/types";
import type { BlockOutline } from "@/server/ports/store";

/** A transaction's position in the chain; undefined while it is pending. */
export type Place = {
  blockHash: Hex;
  blockNumber: number;
  blockTimestamp: number;
  index: number;
  baseFeePerGas?: bigint | undefined;
};

/**
 * The gas price that the sender pays (EIP-1559). If the base fee is not known yet, the highest price that the sender
 * may have to pay.
 */
export function effectiveGasPrice(transaction: Transaction, baseFeePerGas: bigint | undefined): bigint {
  const cap = transaction.maxFeePerGas;
  if (cap === undefined) return transaction.gasPrice ?? 0n;
  if (baseFeePerGas === undefined) return cap;
  const price = baseFeePerGas + (transaction.maxPriorityFeePerGas ?? 0n);
  return price < cap ? price : cap;
}

export function encodeAuthorization(authorization: Authorization) {
  return {
    chainId: toQuantity(authorization.chainId),
    address: authorization.address,
    nonce: toQuantity(authorization.nonce),
    yParity: toQuantity(authorization.yParity),
    r: toQuantity(authorization.r),
    s: toQuantity(authorization.s),
  };
}

export function encodeTransaction(transaction: Transaction, place: Place | undefined): WireTransaction {
  const wire: WireTransaction = {
    blockHash: place ? place.blockHash : null,
    blockNumber: place ? toQuantity(place.blockNumber) : null,
    blockTimestamp: place ? toQuantity(place.blockTimestamp) : null,
    transactionIndex: place ? toQuantity(place.index) : null,
    hash: transaction.hash,
    type: toQuantity(transaction.type),
    from: transaction.from,
    to: transaction.to ?? null,
    nonce: toQuantity(transaction.nonce),
    gas: toQuantity(transaction.gasLimit),
    value: toQuantity(transaction.value),
    input: transaction.input,
    gasPrice: toQuantity(effectiveGasPrice(transaction, place?.baseFeePerGas)),
    v: toQuantity(transaction.v),
    r: toQuantity(transaction.r),
    s: toQuantity(transaction.s),
  };
  if (transaction.chainId !== undefined) wire.chainId = toQuantity(transaction.chainId);
  if (transaction.type !== 0) {
    wire.yParity = toQuantity(transaction.yParity);
    wire.accessList = transaction.accessList ?? [];
  }
  if (transaction.maxFeePerGas !== undefined) wire.maxFeePerGas = toQuantity(transaction.maxFeePerGas);
  if (transaction.maxPriorityFeePerGas !== undefined) {
    wire.maxPriorityFeePerGas = toQuantity(transaction.maxPriorityFeePerGas);
  }
  if (transaction.maxFeePerBlobGas !== undefined) wire.maxFeePerBlobGas = toQuantity(transaction.maxFeePerBlobGas);
  if (transaction.blobVersionedHashes) wire.blobVersionedHashes = transaction.blobVersionedHashes;
  if (transaction.authorizationList) {
    wire.authorizationList = transaction.authorizationList.map(encodeAuthorization);
  }
  return wire;
}

export function encodeMinedTransaction(mined: MinedTransaction): WireTransaction {
  return encodeTransaction(mined.transaction, mined);
}

export function encodeHeader(header: Header): WireHeader {
  const wire: WireHeader = {
    hash: header.hash,
    parentHash: header.parentHash,
    sha3Uncles: header.ommersHash,
    miner: header.coinbase,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: header.logsBloom,
    difficulty: toQuantity(header.difficulty),
    number: toQuantity(header.number),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    extraData: header.extraData,
    mixHash: header.mixHash,
    nonce: header.nonce,
  };
  if (header.baseFeePerGas !== undefined) wire.baseFeePerGas = toQuantity(header.baseFeePerGas);
  if (header.withdrawalsRoot !== undefined) wire.withdrawalsRoot = header.withdrawalsRoot;
  if (header.blobGasUsed !== undefined) wire.blobGasUsed = toQuantity(header.blobGasUsed);
  if (header.excessBlobGas !== undefined) wire.excessBlobGas = toQuantity(header.excessBlobGas);
  if (header.parentBeaconBlockRoot !== undefined) wire.parentBeaconBlockRoot = header.parentBeaconBlockRoot;
  if (header.requestsHash !== undefined) wire.requestsHash = header.requestsHash;
  return wire;
}

export function encodeBlock(block: Block, fullTransactions: boolean): WireBlock {
  const { header, transactions } = block;
  return toWireBlock(
    block,
    fullTransactions
      ? transactions.map((transaction, index) => encodeTransaction(transaction, toPlace(header, index)))
      : transactions.map((transaction) => transaction.hash),
  );
}

const toPlace = ({ hash, number, timestamp, baseFeePerGas }: Header, index: number): Place => ({
  blockHash: hash,
  blockNumber: number,
  blockTimestamp: timestamp,
  baseFeePerGas,
  index,
});

/** A transaction in a block; null if the block has no transaction at this index. */
export function encodeTransactionAt({ header, transactions }: Block, index: number): WireTransaction | null {
  const transaction = transactions[index];
  return transaction ? encodeTransaction(transaction, toPlace(header, index)) : null;
}

export const encodeBlockOutline = (block: BlockOutline): WireBlock => toWireBlock(block, block.transactionHashes);

function toWireBlock(block: Omit<Block, "transactions">, transactions: WireBlock["transactions"]): WireBlock {
  const wire: WireBlock = {
    ...encodeHeader(block.header),
    size: toQuantity(block.size),
    transactions,
    uncles: block.ommers.map((ommer) => ommer.hash),
  };
  if (block.withdrawals) {
    wire.withdrawals = block.withdrawals.map((withdrawal) => ({
      index: toQuantity(withdrawal.index),
      validatorIndex: toQuantity(withdrawal.validatorIndex),
      address: withdrawal.address,
      amount: toQuantity(withdrawal.amount),
    }));
  }
  return wire;
}

/** A log with its position in the chain. If its block was removed, use `encodeRemovedLog` instead. */
export function encodeLog(log: MinedLog): WireLog {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: toQuantity(log.blockNumber),
    blockHash: log.blockHash,
    blockTimestamp: toQuantity(log.blockTimestamp),
    transactionHash: log.transactionHash,
    transactionIndex: toQuantity(log.transactionIndex),
    logIndex: toQuantity(log.logIndex),
    removed: false,
  };
}

/** A log whose block was removed from the chain. */
export const encodeRemovedLog = (log: MinedLog): WireLog => ({ ...encodeLog(log), removed: true });

export function encodeReceipt(receipt: Receipt, transaction: Transaction, place: Place): WireReceipt {
  const wire: WireReceipt = {
    blockHash: place.blockHash,
    blockNumber: toQuantity(place.blockNumber),
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(place.index),
    type: toQuantity(receipt.type),
    from: transaction.from,
    to: transaction.to ?? null,
    contractAddress: receipt.contractAddress ?? null,
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    gasUsed: toQuantity(receipt.gasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    logs: receipt.logs.map((log, position) =>
      encodeLog(toMinedLog(log, transaction, place, receipt.firstLogIndex + position)),
    ),
    logsBloom: receipt.logsBloom,
  };
  if (receipt.status !== undefined) wire.status = toQuantity(receipt.status);
  if (receipt.stateRoot !== undefined) wire.root = receipt.stateRoot;
  if (receipt.blobGasUsed !== undefined) wire.blobGasUsed = toQuantity(receipt.blobGasUsed);
  if (receipt.blobGasPrice !== undefined) wire.blobGasPrice = toQuantity(receipt.blobGasPrice);
  return wire;
}

export function encodeMinedReceipt(mined: MinedTransaction): WireReceipt {
  return encodeReceipt(mined.receipt, mined.transaction, mined);
}

export function toMinedLog(log: Log, transaction: Transaction, place: Place, logIndex: number): MinedLog {
  return {
    ...log,
    blockNumber: place.blockNumber,
    blockHash: place.blockHash,
    blockTimestamp: place.blockTimestamp,
    transactionHash: transaction.hash,
    transactionIndex: place.index,
    logIndex,
  };
}
