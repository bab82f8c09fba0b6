/**
 * Maps rows of the transactions table to transactions and receipts. Every query that returns transactions selects the
 * columns listed here, so that they all share one row reader.
 */
import { toBigInt, toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { decodeReceipt, encodeReceipt } from "@/server/ethereum/codec/receipt";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import type { Block, MinedTransaction, Receipt } from "@/server/ethereum/types";
import {
  optionalBytes,
  optionalScalar,
  orNull,
  POSITION_SPAN,
  plain,
  present,
  toBlockNumber,
  toIndex,
  toInt,
  toPosition,
} from "@/server/storage/columns";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlWrite } from "@/server/storage/sql";

export type ReceiptRow = Omit<Row<"transactions">, "hash" | "sender" | "raw">;
export type MinedRow = ReceiptRow &
  Pick<Row<"transactions">, "hash" | "sender" | "raw"> &
  Pick<Row<"block">, "timestamp" | "base_fee"> & { block_hash: Uint8Array };

export const receiptColumns =
  "t.position, t.gas_used, t.effective_gas_price, t.first_log_index, t.contract_address, t.blob_gas_used, " +
  "t.blob_gas_price, t.receipt";
export const minedColumns = `${receiptColumns}, t.hash, t.sender, t.raw, b.hash as block_hash, b.timestamp, b.base_fee`;
/**
 * Joins the block (`b`) of a row of the transactions table (`t`). Integer division drops the remainder in both
 * databases.
 */
export const joinBlock = `join block b on b.number = t.position / ${POSITION_SPAN}`;

export function fromReceiptRow(row: ReceiptRow): Receipt {
  return {
    ...decodeReceipt(plain(row.receipt)),
    gasUsed: BigInt(row.gas_used),
    effectiveGasPrice: toBigInt(row.effective_gas_price),
    firstLogIndex: row.first_log_index,
    ...present("contractAddress", row.contract_address, toHex),
    ...present("blobGasUsed", row.blob_gas_used, BigInt),
    ...present("blobGasPrice", row.blob_gas_price, toBigInt),
  };
}

export function fromMinedRow(row: MinedRow): MinedTransaction {
  return {
    transaction: decodeTransaction(plain(row.raw), toHex(row.sender), toHex(row.hash)),
    receipt: fromReceiptRow(row),
    blockNumber: toBlockNumber(row.position),
    blockHash: toHex(row.block_hash),
    blockTimestamp: row.timestamp,
    index: toIndex(row.position),
    ...present("baseFeePerGas", row.base_fee, toBigInt),
  };
}

/** The rows of a block's transactions. Throws RangeError if a counter does not fit its column. */
export function toTransactionWrites(block: Block, receipts: Receipt[]): SqlWrite[] {
  if (receipts.length !== block.transactions.length) {
    throw new RangeError(`The block has ${block.transactions.length} transactions but ${receipts.length} receipts.`);
  }
  return [
    {
      sql: toInsert("transactions", "fail"),
      rows: block.transactions.map((transaction, index) => {
        const receipt = receipts[index]!;
        return [
          toPosition(block.header.number, index),
          toBytes(transaction.hash),
          toBytes(transaction.from),
          toInt(receipt.gasUsed),
          toScalar(receipt.effectiveGasPrice),
          receipt.firstLogIndex,
          optionalBytes(receipt.contractAddress),
          orNull(receipt.blobGasUsed, toInt),
          optionalScalar(receipt.blobGasPrice),
          encodeReceipt(receipt),
          transaction.raw,
        ];
      }),
    },
  ];
}
