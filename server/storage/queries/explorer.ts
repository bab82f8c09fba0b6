/**
 * The explorer's lists, newest first. Each list is a range of one index. The next page starts below the cursor's
 * position, so new blocks don't shift pages.
 */
import { toBigInt, toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { decodeHeader } from "@/server/ethereum/codec/header";
import type { Address, InternalTransfer } from "@/server/ethereum/types";
import type {
  BlockRecord,
  Direction,
  ExplorerRows,
  ExplorerStore,
  InternalTransferRecord,
  TokenTransferRecord,
  TransactionCursor,
  TransferCursor,
  TransferSide,
} from "@/server/ports/store";
import {
  digitsOf,
  hexOf,
  POSITION_END,
  POSITION_SPAN,
  plain,
  toBig,
  toBlockNumber,
  toIndex,
  toPosition,
} from "@/server/storage/columns";
import {
  type BodyRow,
  fromBodyRow,
  fromMinedRow,
  joinBlock,
  type MinedRow,
  minedColumns,
} from "@/server/storage/queries/mined";
import { listFiltered } from "@/server/storage/queries/transactionTerms";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlWrite } from "@/server/storage/sql";

const headers = `select b.header, b.transaction_count, b.size, f.payments, f.failed from block b
  left join block_figures f on f.number = b.number`;
const newestHeaders = `${headers} where b.number < ? order by b.number desc limit ?`;
const headerAt = `${headers} where b.number = ?`;
const lastPosition = "select position from transactions where position < ? order by position desc limit 1";
const transactions = `select ${minedColumns} from transactions t ${joinBlock}
  where t.position < ? order by t.position desc limit ?`;
const ofAddress = `select ${minedColumns}, a.direction from address_transaction a
  join transactions t on t.position = a.position ${joinBlock} where a.address = ?`;
const addressTransactions = `${ofAddress} and a.position < ? order by a.position desc limit ?`;
const laterTransactions = `${ofAddress} and a.position >= ? order by a.position limit ?`;
const inDirection = `${ofAddress} and a.direction = ? and a.position < ? order by a.position desc limit ?`;
const firstOfAddress = `${ofAddress} order by a.position limit 1`;
const firstInDirection = `${ofAddress} and a.direction = ? order by a.position limit 1`;
const origin = [hexOf("t.hash"), hexOf("t.sender", "caller"), digitsOf("t.raw"), "b.timestamp"].join(", ");
/** Selects transfers, newest first, each with its transaction and its block's time. */
const transfersBy = (table: "internal_transfer" | "token_transfer", ...columns: TransferColumn[]) => `
  select f.*, ${origin} from ${table} f
  join block b on b.number = f.position / ${POSITION_SPAN}
  join transactions t on t.position = f.position / ${POSITION_SPAN} * ${POSITION_SPAN} + f.transaction_index
  where ${columns.map((column) => `f.${column} = ?`).join(" and ")} and f.position < ?
  order by f.position desc limit ?`;

type Counted = "address_transaction" | "internal_transfer" | "token_transfer";
/** Counts rows up to a limit. */
const countOf = (table: Counted, ...columns: ("address" | "sender" | "recipient")[]) => `
  select count(*) as entries from (
    select position from ${table} where ${columns.map((column) => `${column} = ?`).join(" and ")} limit ?
  ) found`;

/** The order of these lists is part of the database format, because columns store indices into them. */
const directions: Direction[] = ["self", "out", "in", "created", "internal", "token"];
const kinds: InternalTransfer["kind"][] = ["call", "create", "create2", "selfdestruct"];

type TransferColumn = "token" | "sender" | "recipient";
type AddressRow = MinedRow & { direction: number };
/** A transfer's transaction and its block's time. `caller` is the transaction's sender. */
type Origin = Pick<BodyRow, "hash" | "raw"> & { caller: BodyRow["sender"] } & Pick<Row<"block">, "timestamp">;
type InternalRow = Row<"internal_transfer"> & Origin;
type TransferRow = Row<"token_transfer"> & Origin;
type HeaderRow = Pick<Row<"block">, "header" | "transaction_count" | "size"> & {
  payments: number | null;
  failed: number | null;
};
type TokenReads = "findTokenFigures" | "listTokens" | "listHolders" | "listHoldings";
type TransferPage = { before?: TransferCursor; limit: number };

/** Reads the explorer's read model. */
export function createExplorerStore(
  sql: SqlReader,
): Omit<ExplorerStore, `${string}ReadModel${string}` | TokenReads | "listNfts"> {
  const listTransfers = (wanted: [column: TransferColumn, value: Address][], { before, limit }: TransferPage) => {
    const from = before ? toPosition(before.blockNumber, before.logIndex) : POSITION_END;
    const columns = wanted.map(([column]) => column);
    const values = wanted.map(([, value]) => toBytes(value));
    return sql.all<TransferRow>(transfersBy("token_transfer", ...columns), [...values, from, limit]);
  };
  return {
    async listHeaders({ before, limit, skipsEmpty }) {
      const rows = skipsEmpty
        ? await listFilledHeaders(sql, before, limit)
        : await sql.all<HeaderRow>(newestHeaders, [before ?? POSITION_END, limit]);
      return rows.map(fromHeaderRow);
    },
    async listTransactions({ before, limit, filter = [] }) {
      const position = fromCursor(before);
      const rows =
        filter.length === 0
          ? await sql.all<MinedRow>(transactions, [position, limit])
          : await listFiltered(sql, filter, position, limit);
      return rows.map(fromMinedRow);
    },
    async listAddressTransactions(address, { before, limit, direction }) {
      const key = toBytes(address);
      const rows =
        direction === undefined
          ? await sql.all<AddressRow>(addressTransactions, [key, fromCursor(before), limit])
          : await sql.all<AddressRow>(inDirection, [key, directions.indexOf(direction), fromCursor(before), limit]);
      return rows.map(fromAddressRow);
    },
    async listLaterTransactions(address, { from, limit }) {
      const rows = await sql.all<AddressRow>(laterTransactions, [toBytes(address), fromCursor(from), limit]);
      return rows.map(fromAddressRow);
    },
    async findAddressTransaction(address, which) {
      const key = toBytes(address);
      const row =
        which === "created"
          ? await sql.get<MinedRow>(firstInDirection, [key, directions.indexOf("created")])
          : which === "first"
            ? await sql.get<MinedRow>(firstOfAddress, [key])
            : await sql.get<MinedRow>(addressTransactions, [key, POSITION_END, 1]);
      return row && fromMinedRow(row);
    },
    async countAddressRows(address, limit) {
      const key = toBytes(address);
      const count = async (text: string, ...params: (Uint8Array | number)[]) =>
        (await sql.get<{ entries: number }>(text, params))?.entries ?? 0;
      const countTransfers = async (table: "internal_transfer" | "token_transfer") => {
        const sent = await count(countOf(table, "sender"), key, limit);
        const received = await count(countOf(table, "recipient"), key, limit);
        if (Math.max(sent, received) >= limit) return limit;
        const toItself = await count(countOf(table, "sender", "recipient"), key, key, limit);
        return Math.min(limit, sent + received - toItself);
      };
      return {
        transactions: await count(countOf("address_transaction", "address"), key, limit),
        tokenTransfers: await countTransfers("token_transfer"),
        internalTransfers: await countTransfers("internal_transfer"),
      };
    },
    async listInternalTransfers(party, { before, limit, direction }) {
      const from = before ? toPosition(before.blockNumber, before.sequence) : POSITION_END;
      const list = (column: "sender" | "recipient") =>
        sql.all<InternalRow>(transfersBy("internal_transfer", column), [toBytes(party), from, limit]);
      return fromInternalRows(await listSides(direction, list, limit));
    },
    async listTokenTransfers(filter, page) {
      const ofToken: [TransferColumn, Address][] = filter.token ? [["token", filter.token]] : [];
      if (!("party" in filter)) return listTransfers(ofToken, page).then(fromTransferRows);
      const { party, direction } = filter;
      const list = (column: "sender" | "recipient") => listTransfers([...ofToken, [column, party]], page);
      return fromTransferRows(await listSides(direction, list, page.limit));
    },
  };
}

/**
 * Lists blocks that have transactions. Finds each next block through the last transaction before the current one, so
 * empty blocks are never read.
 */
async function listFilledHeaders(sql: SqlReader, before: number | undefined, limit: number): Promise<HeaderRow[]> {
  const rows: HeaderRow[] = [];
  let end = before === undefined ? POSITION_END : toPosition(before, 0);
  while (rows.length < limit) {
    const last = await sql.get<{ position: number }>(lastPosition, [end]);
    if (!last) break;
    const number = toBlockNumber(last.position);
    const row = await sql.get<HeaderRow>(headerAt, [number]);
    if (row) rows.push(row);
    end = toPosition(number, 0);
  }
  return rows;
}

function fromHeaderRow(row: HeaderRow): BlockRecord {
  return {
    header: decodeHeader(plain(row.header)),
    transactionCount: row.transaction_count,
    size: row.size,
    payments: row.payments ?? 0,
    failed: row.failed ?? 0,
  };
}

function fromAddressRow(row: AddressRow) {
  return { ...fromMinedRow(row), direction: directions[row.direction]! };
}

function fromCursor(cursor: TransactionCursor | undefined): number {
  return cursor ? toPosition(cursor.blockNumber, cursor.index) : POSITION_END;
}

/**
 * Lists what a party sent, what it received, or both. Both databases would sort the result of a union, so two sorted
 * lists are read and merged here instead.
 */
async function listSides<Row extends { position: number }>(
  direction: TransferSide | undefined,
  list: (column: "sender" | "recipient") => Promise<Row[]>,
  limit: number,
): Promise<Row[]> {
  const sent = direction === "in" ? [] : await list("sender");
  const received = direction === "out" ? [] : await list("recipient");
  return joinNewestFirst(sent, received, limit);
}

/** Merges two sorted lists; a row that is in both appears once. */
function joinNewestFirst<Row extends { position: number }>(one: Row[], other: Row[], limit: number): Row[] {
  const byPosition = new Map([...one, ...other].map((row) => [row.position, row]));
  return [...byPosition.values()].sort((a, b) => b.position - a.position).slice(0, limit);
}

function fromInternalRows(rows: InternalRow[]): InternalTransferRecord[] {
  const transactions = decodeOrigins(rows);
  return rows.map((row) => ({
    ...fromParties(row),
    transaction: transactions.get(row.hash)!,
    sequence: toIndex(row.position),
    kind: kinds[row.kind]!,
    value: toBigInt(row.amount),
  }));
}

function fromTransferRows(rows: TransferRow[]): TokenTransferRecord[] {
  const transactions = decodeOrigins(rows);
  return rows.map((row) => ({
    ...fromParties(row),
    transaction: transactions.get(row.hash)!,
    logIndex: toIndex(row.position),
    token: toHex(row.token),
    amount: toBigInt(row.amount),
  }));
}

/** Decodes each transaction once, even if it made several of the transfers. */
function decodeOrigins(rows: Origin[]) {
  const bodies = new Map(rows.map(({ hash, caller, raw }) => [hash, { hash, sender: caller, raw }]));
  return new Map([...bodies].map(([hash, body]) => [hash, fromBodyRow(body)]));
}

function fromParties(row: InternalRow | TransferRow) {
  return {
    blockNumber: toBlockNumber(row.position),
    index: row.transaction_index,
    from: toHex(row.sender),
    to: toHex(row.recipient),
    blockTimestamp: row.timestamp,
  };
}

/** Creates a block's rows in the read model. */
export function toExplorerWrites(explorer: ExplorerRows): SqlWrite[] {
  return [
    {
      sql: toInsert("address_transaction", "ignore"),
      rows: explorer.addressTransactions.map((row) => [
        toBytes(row.address),
        toPosition(row.blockNumber, row.index),
        directions.indexOf(row.direction),
      ]),
    },
    {
      sql: toInsert("internal_transfer", "fail"),
      rows: explorer.internalTransfers.map((row) => [
        toPosition(row.blockNumber, row.sequence),
        row.index,
        kinds.indexOf(row.kind),
        toBytes(row.from),
        toBytes(row.to),
        toScalar(row.value),
      ]),
    },
    {
      sql: toInsert("token_transfer", "fail"),
      rows: explorer.tokenTransfers.map((row) => [
        toPosition(row.blockNumber, row.logIndex),
        row.index,
        toBytes(row.token),
        toBytes(row.from),
        toBytes(row.to),
        toBig(row.amount),
      ]),
    },
  ];
}
