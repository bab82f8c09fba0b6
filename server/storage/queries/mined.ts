/**
 * Converts rows of the transactions table to transactions and receipts. Every query for transactions selects these
 * columns.
 */
import { toBigInt, toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { decodeReceipt, encodeReceipt } from "@/server/ethereum/codec/receipt";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import type { Block, Hex, MinedTransaction, Receipt } from "@/server/ethereum/types";
import {
  digitsOf,
  fromDigits,
  fromHexScalar,
  hexOf,
  optionalBytes,
  optionalScalar,
  orNull,
  POSITION_SPAN,
  present,
  toBlockNumber,
  toIndex,
  toInt,
  toPosition,
} from "@/server/storage/columns";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlWrite } from "@/server/storage/sql";

/** `receipt` and `raw` are selected with `digitsOf`; other bytes are selected with `hexOf`. */
export type BodyRow = { hash: Hex; sender: Hex; raw: string };
export type ReceiptRow = Omit<Row<"transactions">, "hash" | "sender" | "raw" | "effective_gas_price" | "receipt"> & {
  effective_gas_price: Hex;
  receipt: string;
};
export type MinedRow = ReceiptRow & BodyRow & Pick<Row<"block">, "timestamp" | "base_fee"> & { block_hash: Hex };

export const bodyColumns = [hexOf("t.hash"), hexOf("t.sender"), digitsOf("t.raw")].join(", ");
export const receiptColumns = [
  "t.position, t.gas_used, t.first_log_index, t.contract_address, t.blob_gas_used, t.blob_gas_price",
  hexOf("t.effective_gas_price"),
  digitsOf("t.receipt"),
].join(", ");
export const minedColumns = [
  receiptColumns,
  bodyColumns,
  "b.timestamp, b.base_fee",
  hexOf("b.hash", "block_hash"),
].join(", ");
/**
 * Joins each row of the transactions table (`t`) with its block (`b`). Integer division drops the remainder in both
 * databases.
 */
export const joinBlock = `join block b on b.number = t.position / ${POSITION_SPAN}`;

export function fromReceiptRow(row: ReceiptRow): Receipt {
  return {
    ...decodeReceipt(fromDigits(row.receipt)),
    gasUsed: BigInt(row.gas_used),
    effectiveGasPrice: fromHexScalar(row.effective_gas_price),
    firstLogIndex: row.first_log_index,
    ...present("contractAddress", row.contract_address, toHex),
    ...present("blobGasUsed", row.blob_gas_used, BigInt),
    ...present("blobGasPrice", row.blob_gas_price, toBigInt),
  };
}

export const fromBodyRow = ({ hash, raw, sender }: BodyRow) => decodeTransaction(fromDigits(raw), sender, hash);

export function fromMinedRow(row: MinedRow): MinedTransaction {
  return {
    transaction: fromBodyRow(row),
    receipt: fromReceiptRow(row),
    blockNumber: toBlockNumber(row.position),
    blockHash: row.block_hash,
    blockTimestamp: row.timestamp,
    index: toIndex(row.position),
    ...present("baseFeePerGas", row.base_fee, toBigInt),
  };
}

/** Creates the rows for a block's transactions. Throws RangeError if a counter does not fit its column. */
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
