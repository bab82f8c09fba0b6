/**
 * Runs the tests for all stores on SQLite. Also tests that every list is read from an index in order, without sorting.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "@/server/storage/migrate";
import { openStore } from "@/server/storage/open";
import { sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { toRecording } from "@/server/storage/sqlite/testing/recording";
import { createTestFile } from "@/server/storage/sqlite/testing/testFile";
import { createStore } from "@/server/storage/store";
import { createTestChain, toAddress, toHash } from "@/server/storage/testing/fixtures";
import { describeStore } from "@/server/storage/testing/suite";

describeStore("SQLite", async () => {
  const { file, remove } = await createTestFile();
  return { open: () => openStore({ kind: "sqlite", file }, { readonly: false }), remove };
});

describe("an asynchronous transaction", () => {
  const put = "insert into code (hash, code) values (?, ?)";
  const toKey = (value: number) => Uint8Array.of(value);
  let driver: SqlDriver;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const test = await createTestFile();
    remove = test.remove;
    driver = openSqlite(test.file, { readonly: false });
    await migrate(driver, sqliteDialect, test.file);
  });
  afterEach(async () => {
    await driver.close();
    await remove();
  });

  /** Opens a transaction and writes in it. It stays open until the test ends it. */
  async function openTransaction(key: number) {
    let resolve = () => {};
    let reject = (_reason: Error) => {};
    const end = new Promise<void>((...settle) => {
      [resolve, reject] = settle;
    });
    let done: Promise<number> | undefined;
    await new Promise<void>((written) => {
      done = driver.transaction(false, async (tx) => {
        await tx.change(put, [toKey(key), toKey(key)]);
        written();
        await end;
        return (await tx.all("select hash from code", [])).length;
      });
    });
    return { done: done!, resolve, reject };
  }
  const listKeys = async () =>
    (await driver.all<{ hash: Uint8Array }>("select hash from code", [])).map(({ hash }) => hash[0]);

  it("is invisible to reads and blocks other writes until it ends", async () => {
    const { done, resolve } = await openTransaction(1);
    const started: number[] = [];
    const others = [2, 3].map((key) =>
      driver.transaction(key === 3, async (tx) => {
        started.push(key);
        return tx.change(put, [toKey(key), toKey(key)]);
      }),
    );
    // Gives the other transactions time to start, in case the open transaction doesn't block them.
    for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
    expect(await listKeys()).toEqual([]);
    expect(driver.sync?.all("select hash from code", [])).toEqual([]);
    expect(started).toEqual([]);
    resolve();
    // The transaction saw only the row that it wrote.
    expect(await done).toBe(1);
    await Promise.all(others);
    expect(started).toEqual([2, 3]);
    expect(await listKeys()).toEqual([1, 2, 3]);
  });

  it("rolls back its own writes if it fails, but not those of waiting transactions", async () => {
    const { done, reject } = await openTransaction(1);
    const other = driver.transaction(true, (tx) => tx.change(put, [toKey(2), toKey(2)]));
    reject(new Error("given up"));
    await expect(done).rejects.toThrow("given up");
    expect(await other).toBe(1);
    expect(await listKeys()).toEqual([2]);
  });

  it("completes before the database closes", async () => {
    const { done, resolve } = await openTransaction(1);
    const closed = driver.close();
    resolve();
    expect(await done).toBe(1);
    await closed;
  });
});

describe("SQLite query plans", () => {
  it("serve every read from an index, in order", async () => {
    const { file, remove } = await createTestFile();
    const driver = openSqlite(file, { readonly: false });
    await migrate(driver, sqliteDialect, file);
    const seen = new Map<string, number>();
    const recording = toRecording(driver, (sql, params) => void seen.set(sql, params.length));
    const store = createStore(recording);
    // Some queries run only if an earlier one found a row.
    const chain = createTestChain();
    await store.commit(chain.next());
    const log = { address: toAddress(1), topics: [], data: "0x" as const };
    const slot = { address: toAddress(1), slot: toHash(1), value: toHash(1) };
    await store.commit(chain.next({ transactions: [{ logs: [log] }], state: { storage: [slot] } }));
    const reader = store.stateReader!;
    const page = { limit: 5 };
    const logs = { fromBlock: 0, toBlock: 9, limit: 5 };
    type Write =
      | `${"put" | "delete" | "change" | "claim" | "release" | "allot" | "sign" | "return" | "hold" | "take" | "edit" | "add"}${string}`
      | "commit"
      | "rewind";
    const reads: Record<Exclude<keyof typeof store, Write | "close" | "isShared" | "onHint">, unknown[]> = {
      findAccount: [await store.findAccount(toAddress(1), 1)],
      findSlot: [await store.findSlot(toAddress(1), toHash(1), 1)],
      findSlotBlock: [await store.findSlotBlock(toAddress(1), toHash(1), 1)],
      findCode: [await store.findCode(toHash(1))],
      findTrieNode: [await store.findTrieNode(toHash(1))],
      findEditedRoot: [await store.findEditedRoot(1)],
      findChainVersion: [await store.findChainVersion()],
      readState: [
        await store.readState({ accounts: [toAddress(1)], slots: [] }, 1),
        await store.readState({ accounts: [], slots: [{ address: toAddress(1), slot: toHash(1) }] }, 1),
      ],
      listByPrefix: [
        await store.listByPrefix("block", "0", 5),
        await store.listByPrefix("transaction", "0", 5),
        await store.listByPrefix("payment", "0", 5),
        await store.listByPrefix("address", "0", 5),
      ],
      listSnapshots: [await store.listSnapshots(5)],
      findHistory: [await store.findHistory()],
      findSnapshot: [await store.findSnapshot(1)],
      listSlots: [await store.listSlots(toAddress(1), 1, page)],
      listAccounts: [await store.listAccounts(1, page)],
      findHead: [await store.findHead()],
      findHeader: [await store.findHeader(1)],
      findBlock: [await store.findBlock(1)],
      findBlockOutline: [await store.findBlockOutline(1)],
      findBlockNumber: [await store.findBlockNumber(toHash(1))],
      findTransaction: [await store.findTransaction(toHash(1))],
      listMined: [await store.listMined([toHash(1)]), await store.listMined([toHash(1), toHash(2)])],
      findTransactionAt: [await store.findTransactionAt(1, 1)],
      findReceipts: [await store.findReceipts(1)],
      listLogs: [
        await store.listLogs({ ...logs, topics: [] }),
        await store.listLogs({ ...logs, addresses: [toAddress(1)], topics: [] }),
      ],
      listPool: [await store.listPool()],
      listPoolSince: [await store.listPoolSince(0)],
      findVersions: [await store.findVersions()],
      findLease: [await store.findLease("builder")],
      listHolds: [await store.listHolds({ purse: "alice", limit: 5 })],
      findBucket: [await store.findBucket("client")],
      listSigned: [await store.listSigned(toAddress(1), 5)],
      listPaymentsSince: [await store.listPaymentsSince(0, 5)],
      findExchange: [await store.findExchange("id")],
      findExchangeOfPayment: [await store.findExchangeOfPayment(toHash(1))],
      listHeaders: [await store.listHeaders(page)],
      listTransactions: [await store.listTransactions(page)],
      listAddressTransactions: [
        await store.listAddressTransactions(toAddress(1), page),
        await store.listAddressTransactions(toAddress(1), { ...page, direction: "in" }),
      ],
      listLaterTransactions: [
        await store.listLaterTransactions(toAddress(1), { from: { blockNumber: 1, index: 0 }, limit: 10 }),
      ],
      findAddressTransaction: [
        await store.findAddressTransaction(toAddress(1), "first"),
        await store.findAddressTransaction(toAddress(1), "created"),
      ],
      countAddressRows: [await store.countAddressRows(toAddress(1), 10)],
      listInternalTransfers: [await store.listInternalTransfers(toAddress(1), page)],
      findTokenFigures: [await store.findTokenFigures(toAddress(1))],
      listTokens: [
        await store.listTokens(page),
        await store.listTokens({ ...page, before: { token: toAddress(1), holders: 1 } }),
      ],
      listNfts: [await store.listNfts(toAddress(1), page)],
      listHolders: [
        await store.listHolders(toAddress(1), page),
        await store.listHolders(toAddress(1), { ...page, before: { address: toAddress(1), units: 1n } }),
      ],
      listHoldings: [await store.listHoldings(toAddress(1), page)],
      findSize: [await store.findSize()],
      findFullAt: [store.findFullAt()],
      findFreeSpace: [typeof (await store.findFreeSpace())],
      findReadModelEnd: [await store.findReadModelEnd()],
      listTokenTransfers: [
        await store.listTokenTransfers({ token: toAddress(1) }, page),
        await store.listTokenTransfers({ party: toAddress(1) }, page),
        await store.listTokenTransfers({ party: toAddress(1), token: toAddress(2), direction: "in" }, page),
      ],
      findPayment: [await store.findPayment(toHash(1))],
      findPaymentByTransaction: [await store.findPaymentByTransaction(toHash(1))],
      listPaymentsInState: [await store.listPaymentsInState("settled")],
      findPaymentByIdentifier: [await store.findPaymentByIdentifier("one")],
      findSettlement: [await store.findSettlement(toHash(1))],
      listPayments: [
        await store.listPayments(page),
        await store.listPayments({ ...page, filter: { payer: toAddress(1) } }),
        await store.listPayments({ ...page, filter: { payee: toAddress(1) } }),
        await store.listPayments({ ...page, filter: { resource: "a" } }),
        await store.listPayments({ ...page, filter: { state: "settled" } }),
      ],
      listPaymentTotals: [
        await store.listPaymentTotals({ ...page, grouping: "payee" }),
        await store.listPaymentTotals({ ...page, grouping: "payee", subject: toAddress(1) }),
      ],
      listPaidResources: [
        await store.listPaidResources({ filter: {}, limit: 9 }),
        await store.listPaidResources({ filter: { payee: toAddress(1) }, limit: 9 }),
      ],
      findPaidResource: [await store.findPaidResource({ url: "a", payee: toAddress(1) })],
      countPaidResources: [await store.countPaidResources({})],
      findIdentity: [await store.findIdentity()],
      stateReader: [
        reader.findAccount(toAddress(1), 1),
        reader.findSlot(toAddress(1), toHash(1), 1),
        reader.hasSlots(toAddress(1), 1),
        reader.findCode(toHash(1)),
        reader.findTrieNode(toHash(1)),
        reader.findBlockHash(1),
        reader.findChainVersion(),
      ],
    };
    // Every read runs at least one query for itself, and some run several.
    expect(seen.size).toBeGreaterThan(Object.keys(reads).length);
    for (const [sql, count] of seen) {
      const plan = await driver.all<{ detail: string }>(`explain query plan ${sql}`, Array(count).fill(1));
      const steps = plan.map(({ detail }) => detail);
      // These scans are allowed: tables that are read as a whole and in order, and subqueries (`walk` for an account's
      // slots, `sorted` for a block's hashes, `found` for a count with a limit, `k0` and `s0` for the keys of values
      // that are read together).
      const allowed =
        /^SCAN (token USING INDEX token_holders|pool USING INDEX pool_seen|paid_resource USING COVERING INDEX \w+|topic|walk|sorted|found|[ks]0|CONSTANT ROW)$/;
      const scans = steps.filter((step) => step.startsWith("SCAN") && !allowed.test(step));
      expect({ sql, scans, sorts: steps.filter((step) => step.includes("TEMP B-TREE")) }).toEqual({
        sql,
        scans: sql.includes("order by number desc limit 1") ? ["SCAN block"] : [],
        sorts: [],
      });
    }
    await store.close();
    await remove();
  });
});
