/** A durable transaction answers when the disk has it, waits for the one before it, and says where the disk takes nothing. */
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { StoreUnavailableError, StoreUncertainError } from "@/server/storage/errors";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { createTestFile } from "@/server/storage/sqlite/testFile";

/** A disk that is told by hand how each flush ends. */
function createDisk() {
  const flushes: { succeed(): void; fail(): void }[] = [];
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      flushes.push({ succeed: resolve, fail: () => reject(new Error("EIO")) });
    });
  return { flushes, flush };
}

async function open() {
  const { file, remove } = await createTestFile();
  const { flushes, flush } = createDisk();
  const driver = openSqlite(file, { readonly: false }, flush);
  await driver.transaction(false, (tx) => tx.write([{ sql: "create table kept (id integer)", rows: [[]] }]));
  const put = (id: number) => driver.transaction(true, (tx) => tx.change("insert into kept values (?)", [id]));
  const close = async () => {
    for (const { succeed } of flushes) succeed();
    await driver.close();
    await remove();
  };
  return { file, driver, flushes, put, close };
}

const list = (driver: SqlDriver) => driver.all<{ id: number }>("select id from kept order by id", []);

it("keeps a second durable transaction until the first is on the disk, and lets others by", async () => {
  const { driver, flushes, put, close } = await open();
  const answered: number[] = [];
  const puts = [1, 2, 3].map((id) => Promise.resolve(put(id)).then(() => answered.push(id)));
  driver.transaction(false, (tx) => tx.change("insert into kept values (?)", [9]));
  for (const [at, id] of [1, 2, 3].entries()) {
    await expect.poll(() => flushes.length).toBe(at + 1);
    expect(list(driver)).toEqual([...[1, 2, 3].slice(0, id), 9].map((each) => ({ id: each })));
    expect(answered).toEqual([1, 2, 3].slice(0, at));
    flushes[at]!.succeed();
    await puts[at];
  }
  expect(answered).toEqual([1, 2, 3]);
  await close();
});

it("writes what could not be flushed anew", async () => {
  const { driver, flushes, put, close } = await open();
  const first = put(1);
  flushes[0]!.fail();
  expect(await first).toBe(1);
  expect(list(driver)).toEqual([{ id: 1 }]);
  await close();
});

it("refuses durable transactions while the disk takes nothing, and goes on when it does again", async () => {
  const { file, driver, flushes, put, close } = await open();
  // Who reads an old state keeps the log from being copied, as a disk that fails does.
  const reader = new Database(file, { readonly: true });
  reader.exec("begin");
  reader.prepare("select * from kept").all();
  const first = put(1);
  const second = put(2);
  flushes[0]!.fail();
  await expect(first).rejects.toThrow(StoreUncertainError);
  await expect(second).rejects.toThrow(StoreUnavailableError);
  await expect(put(3)).rejects.toThrow(StoreUnavailableError);
  expect(list(driver)).toEqual([{ id: 1 }]);
  reader.exec("commit");
  const fourth = put(4);
  await expect.poll(() => flushes.length).toBe(2);
  flushes[1]!.succeed();
  expect(await fourth).toBe(1);
  expect(list(driver)).toEqual([{ id: 1 }, { id: 4 }]);
  reader.close();
  await close();
});

it("leaves flushing to SQLite where it keeps no log", async () => {
  const { flushes, flush } = createDisk();
  const driver = openSqlite(":memory:", { readonly: false }, flush);
  await driver.transaction(true, (tx) => tx.write([{ sql: "create table kept (id integer)", rows: [[]] }]));
  expect(driver.transaction(true, (tx) => tx.change("insert into kept values (?)", [1]))).toBe(1);
  expect(flushes).toHaveLength(0);
  expect(driver.get("pragma synchronous", [])).toEqual({ synchronous: 2 });
  await driver.close();
});
