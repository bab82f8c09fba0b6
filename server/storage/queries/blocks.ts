/**
 * Reads blocks and their contents by number, hash and position. The rows of a committed block never change and are
 * always deleted together, so reads don't need a transaction.
 */

import { decodeRlp, encodeRlp } from "@/lib/rlp";
import { encodeOmmers } from "@/server/ethereum/codec/block";
import { toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { asHex, asInteger, asList } from "@/server/ethereum/codec/fields";
import { decodeHeader, encodeHeader, fromHeaderItem } from "@/server/ethereum/codec/header";
import type { Block, Hash, Withdrawal } from "@/server/ethereum/types";
import type { BlockStore } from "@/server/ports/store";
import {
  digitsOf,
  fromDigits,
  hexOf,
  optionalScalar,
  orNull,
  POSITION_SPAN,
  plain,
  present,
  toBlockNumber,
  toPosition,
} from "@/server/storage/columns";
import {
  type BodyRow,
  bodyColumns,
  fromBodyRow,
  fromMinedRow,
  fromReceiptRow,
  joinBlock,
  type MinedRow,
  minedColumns,
  type ReceiptRow,
  receiptColumns,
} from "@/server/storage/queries/mined";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlWrite } from "@/server/storage/sql";

const inBlock = "t.position >= ? and t.position < ? order by t.position";

const header = digitsOf("header");
const blockColumns = `${header}, size, ommers, withdrawals, transaction_count`;
const blockAt = `select ${blockColumns} from block where number = ?`;
/** Selects all hashes as one value, because selecting one row per hash takes twice as long. */
const outlineAt = `select ${blockColumns},
    (select string_agg(hash, ',') from (select ${hexOf("t.hash")} from transactions t where ${inBlock}) as sorted) as hashes
  from block where number = ?`;

/** The number of placeholders per statement. Both databases allow far more. */
const hashesPerRead = 100;

type CountRow = Pick<Row<"block">, "transaction_count">;
type BlockRow = CountRow & Pick<Row<"block">, "size" | "ommers" | "withdrawals"> & { header: string };

/** Reads blocks, transactions and receipts; logs are in queries/logs.ts. */
export function createBlockStore(sql: SqlReader): Omit<BlockStore, "listLogs"> {
  async function findMined(where: string, value: Uint8Array | number) {
    const row = await sql.get<MinedRow>(`select ${minedColumns} from transactions t ${joinBlock} where ${where}`, [
      value,
    ]);
    return row && fromMinedRow(row);
  }
  async function findDecoded(query: string, params: number[]) {
    const row = await sql.get<{ header: string }>(query, params);
    return row && decodeHeader(fromDigits(row.header));
  }
  return {
    findHead: () => findDecoded(`select ${header} from block order by number desc limit 1`, []),
    findHeader: (number) => findDecoded(`select ${header} from block where number = ?`, [number]),
    async findBlockOutline(number) {
      const row = await sql.get<BlockRow & { hashes: string | null }>(outlineAt, [...toRange(number), number]);
      return row && { ...toOuterParts(row), transactionHashes: (row.hashes?.split(",") ?? []) as Hash[] };
    },
    async findBlock(number) {
      const row = await sql.get<BlockRow>(blockAt, [number]);
      if (!row) return undefined;
      const body = `select ${bodyColumns} from transactions t where ${inBlock}`;
      const transactions = await sql.all<BodyRow>(body, toRange(number));
      return isWhole(row, transactions) ? fromBlockRow(row, transactions) : undefined;
    },
    async findBlockNumber(hash) {
      const row = await sql.get<{ number: number }>("select number from block where hash = ?", [toBytes(hash)]);
      return row?.number;
    },
    findTransaction: (hash) => findMined("t.hash = ?", toBytes(hash)),
    async listMined(hashes) {
      const mined: { hash: Hash; blockNumber: number }[] = [];
      for (let from = 0; from < hashes.length; from += hashesPerRead) {
        const part = hashes.slice(from, from + hashesPerRead).map(toBytes);
        // Pads the list with its first value, so that only two different statements have to be prepared.
        const values =
          part.length === 1 ? part : Array.from({ length: hashesPerRead }, (_, at) => part[at] ?? part[0]!);
        const places = values.map(() => "?").join(", ");
        const rows = await sql.all<{ hash: Uint8Array; position: number }>(
          `select hash, position from transactions where hash in (${places})`,
          values,
        );
        mined.push(...rows.map(({ hash, position }) => ({ hash: toHex(hash), blockNumber: toBlockNumber(position) })));
      }
      return mined;
    },
    async findTransactionAt(block, index) {
      // Callers may request a position that cannot exist.
      if (block >= 2 ** 31 || index >= POSITION_SPAN) return undefined;
      return findMined("t.position = ?", toPosition(block, index));
    },
    async findReceipts(block) {
      const count = "select transaction_count from block where number = ?";
      const row = await sql.get<CountRow>(count, [block]);
      if (!row) return undefined;
      if (row.transaction_count === 0) return [];
      const receipts = `select ${receiptColumns} from transactions t where ${inBlock}`;
      const rows = await sql.all<ReceiptRow>(receipts, toRange(block));
      return isWhole(row, rows) ? rows.map(fromReceiptRow) : undefined;
    },
  };
}

/** Whether all transactions were found. Some are missing if the block was rewound between the two statements. */
function isWhole(block: CountRow, transactions: unknown[]): boolean {
  return transactions.length === block.transaction_count;
}

function toRange(block: number): [number, number] {
  return [block * POSITION_SPAN, (block + 1) * POSITION_SPAN];
}

function fromBlockRow(row: BlockRow, transactions: BodyRow[]): Block {
  return {
    ...toOuterParts(row),
    transactions: transactions.map(fromBodyRow),
  };
}

/** Everything but the transactions. */
function toOuterParts(row: BlockRow): Omit<Block, "transactions"> {
  return {
    header: decodeHeader(fromDigits(row.header)),
    ommers: row.ommers ? asList(decodeRlp(plain(row.ommers)), "list of ommers").map(fromHeaderItem) : [],
    ...present("withdrawals", row.withdrawals, decodeWithdrawals),
    size: row.size,
  };
}

function encodeWithdrawals(withdrawals: Withdrawal[]): Uint8Array {
  return encodeRlp(
    withdrawals.map(({ index, validatorIndex, address, amount }) => [
      toScalar(index),
      toScalar(validatorIndex),
      toBytes(address),
      toScalar(amount),
    ]),
  );
}

function decodeWithdrawals(bytes: Uint8Array): Withdrawal[] {
  return asList(decodeRlp(plain(bytes)), "list of withdrawals").map((item) => {
    const [index, validatorIndex, address, amount] = asList(item, "withdrawal", [4]);
    return {
      index: asInteger(index, "withdrawal index", 64),
      validatorIndex: asInteger(validatorIndex, "validator index", 64),
      address: asHex(address, "withdrawal address", 20),
      amount: asInteger(amount, "withdrawal amount", 64),
    };
  });
}

/** The row of the block itself. */
export function toBlockWrites(block: Block): SqlWrite[] {
  const { header } = block;
  return [
    {
      sql: toInsert("block", "fail"),
      rows: [
        [
          header.number,
          toBytes(header.hash),
          header.timestamp,
          optionalScalar(header.baseFeePerGas),
          block.size,
          block.transactions.length,
          encodeHeader(header),
          block.ommers.length === 0 ? null : encodeOmmers(block.ommers),
          orNull(block.withdrawals, encodeWithdrawals),
        ],
      ],
    },
  ];
}
