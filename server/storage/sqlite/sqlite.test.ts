/**
 * The SQLite adapter passes the suite, and every list it serves comes out of an index in order.
 */
import { describe, expect, it } from "vitest";
import { migrate } from "@/server/storage/migrate";
import { openStore } from "@/server/storage/open";
import { sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver, SqlRow, SqlValue } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { createTestFile } from "@/server/storage/sqlite/testFile";
import { createStore } from "@/server/storage/store";
import { createTestChain, toAddress, toHash } from "@/server/storage/suite/fixtures";
import { describeStore } from "@/server/storage/suite/suite";

describeStore("SQLite", async () => {
  const { file, remove } = await createTestFile();
  return { open: () => openStore({ kind: "sqlite", file }, { readonly: false }), remove };
});

describe("SQLite query plans", () => {
  it("serve every read from an index, in its order", async () => {
    const { file, remove } = await createTestFile();
    const driver = openSqlite(file, { readonly: false });
    await migrate(driver, sqliteDialect, file);
    const seen = new Map<string, number>();
    const record = (sql: string, params: SqlValue[]) => seen.set(sql, params.length);
    const recording: SqlDriver = {
      ...driver,
      all: <R extends SqlRow>(sql: string, params: SqlValue[]) => {
        record(sql, params);
        return driver.all<R>(sql, params);
      },
      get: <R extends SqlRow>(sql: string, params: SqlValue[]) => {
        record(sql, params);
        return driver.get<R>(sql, params);
      },
    };
    const store = createStore(recording);
    // Some queries are only asked where an earlier one found something.
    const chain = createTestChain();
    await store.commit(chain.next());
    const log = { address: toAddress(1), topics: [], data: "0x" as const };
    const slot = { address: toAddress(1), slot: toHash(1), value: toHash(1) };
    await store.commit(chain.next({ transactions: [{ logs: [log] }], state: { storage: [slot] } }));
    const page = { limit: 5 };
    const logs = { fromBlock: 0, toBlock: 9, limit: 5 };
    type Write =
      | `${"put" | "delete" | "change" | "claim" | "release" | "allot" | "sign" | "return" | "hold" | "take" | "edit" | "add"}${string}`
      | "commit"
      | "rewind";
    const reads: Record<Exclude<keyof typeof store, Write | "close" | "isShared" | "onHint">, unknown[]> = {
      findAccount: [await store.findAccount(toAddress(1), 1)],
      findSlot: [await store.findSlot(toAddress(1), toHash(1), 1)],
      findCode: [await store.findCode(toHash(1))],
      findTrieNode: [await store.findTrieNode(toHash(1))],
      findEditedRoot: [await store.findEditedRoot(1)],
      findEra: [await store.findEra()],
      readState: [
        await store.readState({ accounts: [toAddress(1)], slots: [] }, 1),
        await store.readState({ accounts: [], slots: [{ address: toAddress(1), slot: toHash(1) }] }, 1),
      ],
      listSnapshots: [await store.listSnapshots(5)],
      findHistory: [await store.findHistory()],
      findSnapshot: [await store.findSnapshot(1)],
      listSlots: [await store.listSlots(toAddress(1), 1, page)],
      findHead: [await store.findHead()],
      findHeader: [await store.findHeader(1)],
      findBlock: [await store.findBlock(1)],
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
      listSigned: [await store.listSigned(toAddress(1), 5)],
      listPaymentsSince: [await store.listPaymentsSince(0, 5)],
      listHeaders: [await store.listHeaders(page)],
      listTransactions: [await store.listTransactions(page)],
      listAddressTransactions: [
        await store.listAddressTransactions(toAddress(1), page),
        await store.listAddressTransactions(toAddress(1), { ...page, direction: "in" }),
      ],
      findAddressTransaction: [
        await store.findAddressTransaction(toAddress(1), "first"),
        await store.findAddressTransaction(toAddress(1), "created"),
      ],
      listInternalTransfers: [await store.listInternalTransfers(toAddress(1), page)],
      findTokenFigures: [await store.findTokenFigures(toAddress(1))],
      listHolders: [
        await store.listHolders(toAddress(1), page),
        await store.listHolders(toAddress(1), { ...page, before: { address: toAddress(1), units: 1n } }),
      ],
      listHoldings: [await store.listHoldings(toAddress(1), page)],
      findSize: [await store.findSize()],
      findReadModelEnd: [await store.findReadModelEnd()],
      listTokenTransfers: [
        await store.listTokenTransfers({ token: toAddress(1) }, page),
        await store.listTokenTransfers({ party: toAddress(1) }, page),
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
      listPaidResources: [await store.listPaidResources(page)],
      findIdentity: [await store.findIdentity()],
    };
    // Every read asks something of its own, and some more than once.
    expect(seen.size).toBeGreaterThan(Object.keys(reads).length);
    for (const [sql, count] of seen) {
      const plan = await driver.all<{ detail: string }>(`explain query plan ${sql}`, Array(count).fill(1));
      const steps = plan.map(({ detail }) => detail);
      // Reads of everything, by intention, are in order too; the walk over an account's slots is a query, not a table,
      // and so are the keys of several that are read together.
      const allowed =
        /^SCAN (pool USING INDEX pool_seen|paid_resource USING INDEX paid_resource_updated|topic|walk|[ks]0|CONSTANT ROW)$/;
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
