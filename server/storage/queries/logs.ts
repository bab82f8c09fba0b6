/**
 * The log index: for every address and topic, the blocks whose logs contain it and its positions there. A query reads
 * only blocks that contain all of its criteria, and gets the logs themselves from the receipts.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import { decodeLogs } from "@/server/ethereum/codec/receipt";
import type { Hex, Log, MinedLog, Receipt } from "@/server/ethereum/types";
import type { BlockStore, LogQuery } from "@/server/ports/store";
import {
  digitsOf,
  fromDigits,
  hexOf,
  POSITION_END,
  POSITION_SPAN,
  toBlockNumber,
  toIndex,
  toPosition,
} from "@/server/storage/columns";
import { joinBlock } from "@/server/storage/queries/mined";
import { createTermCursor, seekAny, type TermCursor } from "@/server/storage/queries/termCursor";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlWrite } from "@/server/storage/sql";

/** The number of transactions whose receipts one statement reads. */
const fetchLength = 64;

const logColumns = [
  "t.position, t.first_log_index, b.timestamp",
  hexOf("t.hash"),
  hexOf("b.hash", "block_hash"),
  digitsOf("t.receipt"),
].join(", ");
const logSource = `select ${logColumns} from transactions t ${joinBlock} where`;
const byPositions = `${logSource} t.position in (${Array.from({ length: fetchLength }, () => "?").join(", ")})`;
const byRange = `${logSource} t.position >= ? and t.position < ? order by t.position limit ?`;

type LogRow = Pick<Row<"transactions">, "position" | "first_log_index"> &
  Pick<Row<"block">, "timestamp"> & { hash: Hex; block_hash: Hex; receipt: string };

/** Implements `listLogs` of BlockStore. */
export function createLogStore(sql: SqlReader): Pick<BlockStore, "listLogs"> {
  return { listLogs: (query) => collectLogs(sql, query) };
}

async function collectLogs(sql: SqlReader, query: LogQuery): Promise<MinedLog[]> {
  const criteria = toCriteria(sql, query);
  return criteria.length === 0 ? await scanRange(sql, query) : await intersect(sql, query, criteria);
}

/**
 * Creates one list of cursors per criterion, with one cursor per term. A log meets a criterion if it contains at least
 * one of the criterion's terms.
 */
function toCriteria(sql: SqlReader, query: LogQuery): TermCursor[][] {
  const wanted = [query.addresses, ...query.topics];
  return wanted.flatMap((values, place) =>
    values?.length
      ? [[...new Set(values)].map((value) => createTermCursor(sql, toTerm(place, value), query.toBlock))]
      : [],
  );
}

/** Place 0 is the address, 1 to 4 are topics 0 to 3. */
function toTerm(place: number, value: Hex): Uint8Array {
  return toBytes(`0x0${place}${value.slice(2)}`);
}

async function intersect(sql: SqlReader, query: LogQuery, criteria: TermCursor[][]): Promise<MinedLog[]> {
  const found: MinedLog[] = [];
  // Block-wide indices of the logs that still have to be fetched, keyed by the position of their transaction.
  let wanted = new Map<number, Set<number>>();
  // The number of logs found so far, whether or not they have been fetched.
  let matched = 0;
  let block = query.fromBlock;
  for (;;) {
    const [next, leader] = await seekAll(criteria, block);
    if (next === undefined) break;
    if (next > block) {
      // The criterion that moved ahead probably has the rarest term, so it is moved to the front. The other criteria
      // must catch up with it.
      block = next;
      criteria.unshift(...criteria.splice(leader, 1));
      continue;
    }
    const places = placesOfAll(criteria, block);
    matched += places.length;
    for (const [logIndex, transactionIndex] of places) {
      const position = toPosition(block, transactionIndex);
      const logs = wanted.get(position);
      if (logs) logs.add(logIndex);
      else wanted.set(position, new Set([logIndex]));
    }
    if (wanted.size >= fetchLength || matched >= query.limit) {
      await fetchLogs(sql, query, wanted, found);
      wanted = new Map();
      matched = found.length;
      if (found.length >= query.limit) return found;
    }
    block++;
  }
  await fetchLogs(sql, query, wanted, found);
  return found;
}

/**
 * Moves each criterion to its first match in or after the block. Stops at the first criterion without a match in the
 * block, and returns the block of its next match (undefined if there is none) and the criterion's index.
 */
async function seekAll(criteria: TermCursor[][], block: number): Promise<[number | undefined, number]> {
  for (const [at, criterion] of criteria.entries()) {
    const next = await seekAny(criterion, block);
    if (next !== block) return [next, at];
  }
  return [block, 0];
}

/**
 * Returns the log and transaction indices of the logs that match every criterion in the current block, in ascending
 * order.
 */
function placesOfAll(criteria: TermCursor[][], block: number): [number, number][] {
  const perCriterion = criteria.map(
    (criterion) =>
      new Map(
        criterion.flatMap((cursor) => {
          const row = cursor.current();
          return row?.block === block ? decodePlaces(row.places) : [];
        }),
      ),
  );
  const [first, ...others] = perCriterion;
  return [...(first ?? [])]
    .filter(([logIndex]) => others.every((places) => places.has(logIndex)))
    .sort(([a], [b]) => a - b);
}

async function fetchLogs(
  sql: SqlReader,
  query: LogQuery,
  wanted: Map<number, Set<number>>,
  found: MinedLog[],
): Promise<void> {
  const positions = [...wanted.keys()];
  for (let start = 0; start < positions.length && found.length < query.limit; start += fetchLength) {
    const part = positions.slice(start, start + fetchLength);
    // The number of parameters is fixed, so that the statement is always the same. The last position is repeated to
    // fill the list.
    const params = Array.from({ length: fetchLength }, (_, at) => part[at] ?? part.at(-1)!);
    const rows = await sql.all<LogRow>(byPositions, params);
    rows.sort((a, b) => a.position - b.position);
    for (const row of rows) addLogs(row, query, wanted.get(row.position), found);
  }
}

/** Lists logs for a filter without criteria. */
async function scanRange(sql: SqlReader, query: LogQuery): Promise<MinedLog[]> {
  const found: MinedLog[] = [];
  let from = query.fromBlock * POSITION_SPAN;
  const end = Math.min((query.toBlock + 1) * POSITION_SPAN, POSITION_END);
  while (found.length < query.limit) {
    const rows = await sql.all<LogRow>(byRange, [from, end, fetchLength]);
    for (const row of rows) addLogs(row, query, undefined, found);
    const last = rows.at(-1);
    if (!last || rows.length < fetchLength) break;
    from = last.position + 1;
  }
  return found;
}

/**
 * Adds the logs in the row that have these block-wide indices, up to the limit. If the indices are undefined, adds all
 * logs in the row.
 */
function addLogs(row: LogRow, query: LogQuery, indices: Set<number> | undefined, found: MinedLog[]): void {
  const logs = decodeLogs(fromDigits(row.receipt));
  for (const [at, log] of logs.entries()) {
    if (found.length >= query.limit) return;
    const logIndex = row.first_log_index + at;
    // As in geth, a log must have a topic for each position in the filter, even if that position matches any value.
    if (log.topics.length < query.topics.length || (indices && !indices.has(logIndex))) continue;
    found.push({
      ...log,
      blockNumber: toBlockNumber(row.position),
      blockHash: row.block_hash,
      blockTimestamp: row.timestamp,
      transactionHash: row.hash,
      transactionIndex: toIndex(row.position),
      logIndex,
    });
  }
}

/** Creates the index rows for a block's logs, one for each distinct term. */
export function toLogWrites(block: number, receipts: Receipt[]): SqlWrite[] {
  const places = new Map<string, { term: Uint8Array; places: [number, number][] }>();
  for (const [transactionIndex, receipt] of receipts.entries()) {
    for (const [at, log] of receipt.logs.entries()) {
      const place: [number, number] = [receipt.firstLogIndex + at, transactionIndex];
      for (const [at, value] of toValues(log).entries()) {
        const key = `${at}${value}`;
        const entry = places.get(key);
        if (entry) entry.places.push(place);
        else places.set(key, { term: toTerm(at, value), places: [place] });
      }
    }
  }
  return [
    {
      sql: toInsert("log_term", "fail"),
      rows: [...places.values()].map((entry) => [entry.term, block, encodePlaces(entry.places)]),
    },
  ];
}

function toValues(log: Log): Hex[] {
  return [log.address, ...log.topics];
}

/**
 * Encodes ascending pairs as differences from the previous pair. Each difference is a little-endian base-128 number, so
 * a log usually takes two bytes.
 */
function encodePlaces(places: [number, number][]): Uint8Array {
  const bytes: number[] = [];
  let before: [number, number] = [0, 0];
  for (const place of places) {
    for (const at of [0, 1] as const) {
      let rest = place[at] - before[at];
      for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
      bytes.push(rest);
    }
    before = place;
  }
  return Uint8Array.from(bytes);
}

function decodePlaces(bytes: Uint8Array): [number, number][] {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte % 0x80) * scale;
    scale *= 0x80;
    if (byte >= 0x80) continue;
    // Log indices and transaction indices alternate, so each number is encoded relative to the number two positions
    // before it.
    numbers.push((numbers.at(-2) ?? 0) + value);
    value = 0;
    scale = 1;
  }
  return Array.from({ length: numbers.length / 2 }, (_, at) => [numbers[2 * at]!, numbers[2 * at + 1]!]);
}
