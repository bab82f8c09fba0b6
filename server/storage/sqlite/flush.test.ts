/**
 * Tests that transactions continue while earlier ones are flushed to disk, wait if the disk is slow, and are rejected
 * if it fails. Also tests that `flushed()` doesn't resolve until everything is on disk.
 */
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StoreUnavailableError, StoreUncertainError } from "@/server/storage/errors";
import { migrate } from "@/server/storage/migrate";
import { sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { maxBehindMs } from "@/server/storage/sqlite/logFlush";
import { createTestFile } from "@/server/storage/sqlite/testing/testFile";
import { createStore } from "@/server/storage/store";
import { toHash } from "@/server/storage/testing/fixtures";
import { toPayment } from "@/server/storage/testing/payments";

let nowMs = 0;
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => nowMs));
afterEach(() => void vi.restoreAllMocks());

/** Simulates a disk. Each flush ends when the test tells it to. */
function createDisk() {
  const flushes: { succeed(): void; fail(): void }[] = [];
  let isDone = false;
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      flushes.push({ succeed: resolve, fail: () => reject(new Error("EIO")) });
      if (isDone) resolve();
    });
  /** Lets all flushes succeed from now on. */
  function finish(): void {
    isDone = true;
    for (const { succeed } of flushes) succeed();
  }
  return { flushes, flush, finish };
}

async function open() {
  const { file, remove } = await createTestFile();
  const { flushes, flush, finish } = createDisk();
  const driver = openSqlite(file, { readonly: false }, flush);
  await driver.transaction(false, (tx) => tx.write([{ sql: "create table kept (id integer)", rows: [[]] }]));
  const put = (id: number) => driver.transaction(true, (tx) => tx.change("insert into kept values (?)", [id]));
  const close = async () => {
    finish();
    await driver.close();
    await remove();
  };
  return { file, driver, flushes, put, close };
}

const list = (driver: SqlDriver) => driver.all<{ id: number }>("select id from kept order by id", []);

it("delays durable transactions, but no others, if an earlier one takes long to reach the disk", async () => {
  const { driver, flushes, put, close } = await open();
  expect(await put(1)).toBe(1);
  await expect.poll(() => flushes.length).toBe(1);
  nowMs += maxBehindMs;
  expect(await put(2)).toBe(1);
  expect(flushes).toHaveLength(1);
  nowMs += 1;
  const third = put(3);
  await driver.transaction(false, (tx) => tx.change("insert into kept values (?)", [9]));
  expect(await list(driver)).toEqual([{ id: 1 }, { id: 2 }, { id: 9 }]);
  let isOnDisk = false;
  const flushed = driver.flushed().then(() => {
    isOnDisk = true;
  });
  await Promise.resolve();
  expect(isOnDisk).toBe(false);
  flushes[0]!.succeed();
  await expect.poll(() => flushes.length).toBe(2);
  expect(isOnDisk).toBe(false);
  flushes[1]!.succeed();
  await flushed;
  expect(await third).toBe(1);
  expect(await list(driver)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 9 }]);
  await close();
});

it("writes changes again if they could not be flushed", async () => {
  const { driver, flushes, put, close } = await open();
  await put(1);
  const flushed = driver.flushed();
  flushes[0]!.fail();
  await flushed;
  expect(await put(2)).toBe(1);
  expect(await list(driver)).toEqual([{ id: 1 }, { id: 2 }]);
  await close();
});

it("rejects durable transactions while the disk fails, and resumes once it recovers", async () => {
  const { file, driver, flushes, put, close } = await open();
  // Simulates a failing disk: while a reader uses an old snapshot, the log can't be fully copied into the file.
  const reader = new Database(file, { readonly: true });
  reader.exec("begin");
  reader.prepare("select * from kept").all();
  await put(1);
  await expect.poll(() => flushes.length).toBe(1);
  flushes[0]!.fail();
  await expect(driver.flushed()).rejects.toThrow(StoreUncertainError);
  await expect(put(3)).rejects.toThrow(StoreUnavailableError);
  expect(await list(driver)).toEqual([{ id: 1 }]);
  reader.exec("commit");
  expect(await put(4)).toBe(1);
  expect(await list(driver)).toEqual([{ id: 1 }, { id: 4 }]);
  reader.close();
  await close();
});

it("confirms a settlement on a remote chain only once it is on disk, and other changes at once", async () => {
  const { file, remove } = await createTestFile();
  const real = openSqlite(file, { readonly: false });
  await migrate(real, sqliteDialect, file);
  await real.close();
  const { flushes, flush } = createDisk();
  const driver = openSqlite(file, { readonly: false }, flush);
  const store = createStore(driver);
  const payment = toPayment(1, 0);
  expect(await store.changePayments([payment])).toBe(true);
  expect(flushes).toHaveLength(0);
  let isAnswered = false;
  const sent = { ...payment, revision: 1, state: "settling" as const, transaction: toHash(0x7a) };
  const answer = store.changePayments([sent], { transaction: toHash(0x7a), raw: "0x02c0" }).then((isWritten) => {
    isAnswered = true;
    return isWritten;
  });
  await expect.poll(() => flushes.length).toBe(1);
  expect(isAnswered).toBe(false);
  flushes[0]!.succeed();
  expect(await answer).toBe(true);
  await driver.close();
  await remove();
});
