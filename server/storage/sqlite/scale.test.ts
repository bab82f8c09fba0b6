/**
 * Tests lists on a chain with 200,000 transactions: checks the query plan of every statement, and that each list reads
 * hardly more file pages than on a chain that is a hundred times shorter. Rows are inserted directly, so that the chain
 * is built within seconds. Columns that are decoded have real data.
 */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { encodeHeader } from "@/server/ethereum/codec/header";
import { encodeReceipt } from "@/server/ethereum/codec/receipt";
import type { Store } from "@/server/ports/store";
import { toBig, toPosition } from "@/server/storage/columns";
import { migrate } from "@/server/storage/migrate";
import { toLogWrites } from "@/server/storage/queries/logs";
import { sqliteDialect, toInsert } from "@/server/storage/schema";
import type { SqlValue, SqlWrite } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { toRecording } from "@/server/storage/sqlite/testing/recording";
import { createTestFile } from "@/server/storage/sqlite/testing/testFile";
import { createStore } from "@/server/storage/store";
import { createTestChain, toAddress, toHash } from "@/server/storage/testing/fixtures";

const perBlock = 100;
const limit = 26;
/** How many more pages a query may read on the longer chain, because its trees are one level deeper. */
const deeperPages = 12;
/**
 * An address that takes part in every transaction. Only the first transaction creates it, and only the middle one
 * involves it in an internal transfer.
 */
const busy = toAddress(0xb);
const token = toAddress(0xc);
/** Only one log, in the middle of the chain, has this topic. */
const rareTopic = toHash(0xabcdef);
const commonTopic = toHash(0xddf252);
const failedTerm = new Uint8Array([0]);
const paymentTerm = new Uint8Array([1]);
const directions = { self: 0, out: 1, in: 2, created: 3, internal: 4, token: 5 };

type Chain = { file: string; blocks: number; remove(): Promise<void> };

/**
 * Creates the rows for one block, with mixed kinds and parties. Columns that no query compares have the same value in
 * every row.
 */
function toRows(block: number, blocks: number): SqlWrite[] {
  const middle = Math.floor(blocks / 2);
  const rows: Record<string, SqlValue[][]> = {};
  const put = (table: string, row: SqlValue[]) => {
    rows[table] ??= [];
    rows[table].push(row);
  };
  const receipts = Array.from({ length: perBlock }, (_, index) => {
    const topics = block === middle && index === 7 ? [commonTopic, rareTopic] : [commonTopic];
    return { ...sample.receipt, logs: [{ address: token, topics, data: "0x" as const }], firstLogIndex: index };
  });
  put("block", [block, hashOf(1, block), 1_700_000_000 + block, null, 600, perBlock, sample.header, null, null]);
  for (let index = 0; index < perBlock; index++) {
    const number = block * perBlock + index;
    const position = toPosition(block, index);
    const party = toBytes(toAddress(0x10000 + (number % 5_000)));
    put("transactions", [
      position,
      hashOf(2, number),
      party,
      21_000,
      sample.price,
      index,
      null,
      null,
      null,
      index === 7 ? encodeReceipt(receipts[index]!) : sample.encoded,
      sample.raw,
    ]);
    const direction =
      number === 0 ? directions.created : number === middle * perBlock ? directions.internal : directions.in;
    put("address_transaction", [toBytes(busy), position, direction]);
    put("address_transaction", [party, position, directions.out]);
    put("transaction_term", [failedTerm, position]);
    if (index % 10 === 0) put("transaction_term", [paymentTerm, position]);
    if (index % 2 === 0) put("token_transfer", [position, index, toBytes(token), toBytes(busy), party, sample.units]);
    if (index % 10 === 0) put("internal_transfer", [position, index, 0, party, toBytes(busy), sample.price]);
    if (index % 10 === 0) {
      const holder = hashOf(3, number).subarray(0, 20);
      put("token_holder", [toBytes(token), holder, toBig(BigInt(1 + number))]);
      put("token_holder", [holder, toBytes(busy), toBig(1n)]);
    }
    if (index % 10 === 0) put("payment", toPaymentRow(number));
  }
  return [
    ...Object.entries(rows).map(([table, values]) => ({ sql: toInsert(table, "fail"), rows: values })),
    ...toLogWrites(block, receipts),
  ];
}

/** A key that sorts randomly, like a hash. */
function hashOf(kind: number, number: number): Uint8Array {
  const key = new Uint8Array(32);
  new DataView(key.buffer).setUint32(0, Math.imul(number + 1, 0x9e3779b1));
  new DataView(key.buffer).setUint32(4, number);
  key[31] = kind;
  return key;
}

function toPaymentRow(number: number): SqlValue[] {
  const at = 1_700_000_000_000 + number;
  const state = number === 0 ? "failed" : "settled";
  return [
    hashOf(4, number),
    "eip155:10143",
    "exact",
    toBytes(token),
    toBytes(busy),
    toBytes(busy),
    sample.units,
    null,
    hashOf(5, number),
    "/api/paid/block-digest",
    state,
    null,
    hashOf(2, number),
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    `id ${number}`,
    null,
    0,
    at,
    at,
    2_000_000_000,
    number,
    "[]",
    "{}",
  ];
}

/** A real block with one transaction, whose values fill the columns that are decoded. */
const sample = (() => {
  const chain = createTestChain();
  chain.next();
  const { block, receipts } = chain.next({
    transactions: [{ to: busy, logs: [{ address: token, topics: [commonTopic], data: "0x" }] }],
  });
  const receipt = receipts[0]!;
  return {
    receipt,
    header: encodeHeader(block.header),
    encoded: encodeReceipt(receipt),
    raw: block.transactions[0]!.raw,
    price: toScalar(2_000_000_000n),
    units: toBig(1_000_000n),
  };
})();

async function createChain(transactions: number): Promise<Chain> {
  const { file, remove } = await createTestFile();
  const driver = openSqlite(file, { readonly: false });
  await migrate(driver, sqliteDialect, file);
  const blocks = transactions / perBlock;
  for (let start = 0; start < blocks; start += 100) {
    await driver.transaction(false, async (tx) => {
      for (let block = start; block < Math.min(start + 100, blocks); block++) await tx.write(toRows(block, blocks));
    });
  }
  await driver.transaction(false, (tx) =>
    tx.write([
      { sql: toInsert("token", "fail"), rows: [[toBytes(token), transactions / 10, transactions / 2]] },
      { sql: toInsert("read_model", "replace"), rows: [[1, blocks]] },
    ]),
  );
  await driver.close();
  return { file, blocks, remove };
}

/** Returns functions that read every list: from its newest row, from the middle, and with its filters. */
function toLists(blocks: number): Record<string, (store: Store) => unknown> {
  const middle = Math.floor(blocks / 2);
  const place = { blockNumber: middle, index: 50 };
  const number = middle * perBlock;
  const paid = { createdAtMs: 1_700_000_000_000 + number, id: toHex(hashOf(4, number)) };
  const all = { fromBlock: 0, toBlock: blocks, limit, topics: [] };
  return {
    headers: (store) => store.listHeaders({ limit }),
    "headers from the middle": (store) => store.listHeaders({ limit, before: middle }),
    "headers without empty blocks": (store) => store.listHeaders({ limit, skipsEmpty: true }),
    transactions: (store) => store.listTransactions({ limit }),
    "transactions that failed": (store) => store.listTransactions({ limit, before: place, filter: [["failed"]] }),
    "transactions that failed and paid": (store) =>
      store.listTransactions({ limit, before: place, filter: [["payment"], ["failed"]] }),
    "transactions that match none of two terms": (store) =>
      store.listTransactions({ limit, filter: [[{ token }, "creation"]] }),
    "transactions from the middle": (store) => store.listTransactions({ limit, before: place }),
    "address transactions": (store) => store.listAddressTransactions(busy, { limit }),
    "address transactions from the middle": (store) => store.listAddressTransactions(busy, { limit, before: place }),
    "address transactions in": (store) => store.listAddressTransactions(busy, { limit, direction: "in" }),
    "address transactions inside, of which there is one": (store) =>
      store.listAddressTransactions(busy, { limit, direction: "internal" }),
    "address transactions of a direction that it has none of": (store) =>
      store.listAddressTransactions(busy, { limit, direction: "self" }),
    "first transaction": (store) => store.findAddressTransaction(busy, "first"),
    "last transaction": (store) => store.findAddressTransaction(busy, "last"),
    "creating transaction": (store) => store.findAddressTransaction(busy, "created"),
    "counts of an address": (store) => store.countAddressRows(busy, limit),
    "internal transfers": (store) => store.listInternalTransfers(busy, { limit }),
    "internal transfers from the middle": (store) =>
      store.listInternalTransfers(busy, { limit, before: { blockNumber: middle, sequence: 50 } }),
    "token transfers": (store) => store.listTokenTransfers({ token }, { limit }),
    "token transfers from the middle": (store) =>
      store.listTokenTransfers({ token }, { limit, before: { blockNumber: middle, logIndex: 50 } }),
    "token transfers of a party": (store) => store.listTokenTransfers({ party: busy }, { limit }),
    "token transfers of a party, of which it has none in this token": (store) =>
      store.listTokenTransfers({ party: busy, token: toAddress(7) }, { limit }),
    "token transfers of a party in one direction": (store) =>
      store.listTokenTransfers({ party: busy, token, direction: "out" }, { limit }),
    holders: (store) => store.listHolders(token, { limit }),
    "holders from the middle": (store) =>
      store.listHolders(token, { limit, before: { address: busy, units: BigInt(number) } }),
    holdings: (store) => store.listHoldings(toHex(hashOf(3, number).subarray(0, 20)), { limit }),
    tokens: (store) => store.listTokens({ limit }),
    "tokens from the middle": (store) => store.listTokens({ limit, before: { token: busy, holders: 1e9 } }),
    "nfts, and it has none of them": (store) => store.listNfts(busy, { limit }),
    "token figures": (store) => store.findTokenFigures(token),
    "logs of a contract that has them all": (store) => store.listLogs({ ...all, addresses: [token] }),
    "logs of a rare topic": (store) =>
      store.listLogs({ ...all, addresses: [token], topics: [[commonTopic], [rareTopic]] }),
    "logs of a topic that nothing has": (store) =>
      store.listLogs({ ...all, addresses: [token], topics: [[commonTopic], [toHash(1)]] }),
    "logs without criteria": (store) => store.listLogs(all),
    payments: (store) => store.listPayments({ limit }),
    "payments from the middle": (store) => store.listPayments({ limit, before: paid }),
    "payments of a payer": (store) => store.listPayments({ limit, before: paid, filter: { payer: busy } }),
    "payments to a payee": (store) => store.listPayments({ limit, before: paid, filter: { payee: busy } }),
    "payments for a resource": (store) => store.listPayments({ limit, filter: { resource: "/api/paid/block-digest" } }),
    "payments that failed, of which there is one": (store) =>
      store.listPayments({ limit, filter: { state: "failed" } }),
    "payments of a transaction": (store) => store.findPaymentByTransaction(toHex(hashOf(2, number))),
    "payments since a version": (store) => store.listPaymentsSince(number, limit),
    "payment by its identifier": (store) => store.findPaymentByIdentifier(`id ${number}`),
    "payment totals": (store) => store.listPaymentTotals({ grouping: "resource", limit }),
    "paid resources": (store) => store.listPaidResources({ filter: {}, limit }),
    head: (store) => store.findHead(),
    "block by its hash": (store) => store.findBlockNumber(toHex(hashOf(1, middle))),
    "block with its transactions": (store) => store.findBlock(middle),
    "receipts of a block": (store) => store.findReceipts(middle),
    "transaction by its hash": (store) => store.findTransaction(toHex(hashOf(2, number))),
    "blocks by the start of their hash": (store) => store.listByPrefix("block", "9", 5),
    "transactions by the start of their hash": (store) => store.listByPrefix("transaction", "9", 5),
    "payments by the start of their ID": (store) => store.listByPrefix("payment", "9", 5),
    "addresses by their start, one of them busy": (store) => store.listByPrefix("address", "0", 5),
  };
}

/**
 * This file reports how many bytes this thread has read. The path uses the process ID, because the tests run in the
 * process's main thread, which has the same ID.
 */
const ioFile = `/proc/self/task/${process.pid}/io`;
const readBytes = () => Number(/rchar: (\d+)/.exec(readFileSync(ioFile, "latin1"))?.[1]);

/**
 * Returns how many 4 KiB pages a read loads with an empty cache, not counting the pages for opening the file and
 * reading the schema.
 */
async function countPages(chain: Chain, read: (store: Store) => unknown): Promise<number> {
  const driver = openSqlite(chain.file, { readonly: true });
  const store = createStore(driver);
  await store.findReadModelEnd();
  const before = readBytes();
  const between = readBytes();
  await read(store);
  const after = readBytes();
  await store.close();
  return Math.round((after - between - (between - before)) / 4096);
}

describe("lists of a long chain", () => {
  let short: Chain;
  let long: Chain;
  beforeAll(async () => {
    short = await createChain(2_000);
    long = await createChain(200_000);
  }, 120_000);
  afterAll(async () => {
    await short?.remove();
    await long?.remove();
  });

  it("come from an index in order", async () => {
    const driver = openSqlite(long.file, { readonly: true });
    const seen: { sql: string; params: SqlValue[] }[] = [];
    const recording = toRecording(driver, (sql, params) => void seen.push({ sql, params }));
    const store = createStore(recording);
    for (const [name, read] of Object.entries(toLists(long.blocks))) {
      seen.length = 0;
      const found = await read(store);
      const isNone = /none of|nothing has|totals|resources$/.test(name);
      const isOne = /of which there is one|rare/.test(name);
      if (Array.isArray(found) && isNone) expect(found, name).toHaveLength(0);
      else if (Array.isArray(found) && isOne) expect(found, name).toHaveLength(1);
      else expect(found, name).toBeTruthy();
      for (const { sql, params } of seen) {
        // A count reads few rows if its limit is on the rows that it counts.
        const counted = sql.replace(/^\s*select count\(\*\) as entries from \(([^()]* limit \?)\s*\) found$/, "$1");
        expect(counted, name).not.toMatch(/\bcount\s*\(|\boffset\b|\bdistinct\b|\bunion\b|\bgroup by\b/i);
        const plan = await driver.all<{ detail: string }>(`explain query plan ${sql}`, params);
        const steps = plan.map(({ detail }) => detail);
        // These scans are fast because they have a limit and start at the end of a table or index that has the rows
        // they need.
        const allowed =
          /^SCAN (block|found|token USING INDEX token_holders|paid_resource USING COVERING INDEX paid_resource_updated)$/;
        const scans = steps.filter((step) => step.startsWith("SCAN") && !(allowed.test(step) && sql.includes("limit")));
        const sorts = steps.filter((step) => step.includes("TEMP B-TREE"));
        expect({ name, sql, scans, sorts }).toEqual({ name, sql, scans: [], sorts: [] });
      }
    }
    await store.close();
  });

  it.skipIf(!existsSync(ioFile))("read hardly more pages than lists of a short chain", async () => {
    const grown: string[] = [];
    const lists = { short: toLists(short.blocks), long: toLists(long.blocks) };
    for (const name of Object.keys(lists.long)) {
      const pages = await countPages(short, lists.short[name]!);
      const more = (await countPages(long, lists.long[name]!)) - pages;
      // With a hundred times as many rows, each tree gets one more level. A scan would read thousands of pages.
      if (pages === 0 || more > deeperPages) grown.push(`${name}: ${pages} and ${more} more`);
    }
    expect(grown).toEqual([]);
  });
});
