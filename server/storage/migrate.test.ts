/**
 * Tests that databases are created in the newest format, migrated step by step, and left unchanged if they can't be
 * migrated.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreFormatError } from "@/server/storage/errors";
import { findFormat, type Migration, migrate, migrations } from "@/server/storage/migrate";
import { FORMAT, sqliteDialect, tables, toDdl } from "@/server/storage/schema";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { createTestFile } from "@/server/storage/sqlite/testing/testFile";
import { createStore } from "@/server/storage/store";
import { createTestChain } from "@/server/storage/testing/fixtures";
import { toPayment } from "@/server/storage/testing/payments";

let sql: SqlDriver;
let remove: () => Promise<void>;
beforeEach(async () => {
  const test = await createTestFile();
  remove = test.remove;
  sql = openSqlite(test.file, { readonly: false });
});
afterEach(async () => {
  await sql.close();
  await remove();
});

const to = (format: number, ...statements: string[]): Migration => ({ to: format, statements: () => statements });
const bring = (format: number, ...steps: Migration[]) =>
  migrate(sql, sqliteDialect, "test.sqlite", { format, migrations: steps });

describe("migrate", () => {
  it("has a migration to every format but the first", () => {
    expect(migrations.map((migration) => migration.to)).toEqual(Array.from({ length: FORMAT - 1 }, (_, at) => at + 2));
  });

  it("creates every table in an empty database, once", async () => {
    expect(await findFormat(sql, "test.sqlite")).toBeUndefined();
    await migrate(sql, sqliteDialect, "test.sqlite");
    await migrate(sql, sqliteDialect, "test.sqlite");
    expect([...(await sql.listTables())].sort()).toEqual(tables.map(({ name }) => name).sort());
    expect(await findFormat(sql, "test.sqlite")).toBe(FORMAT);
  });

  it("runs the missing steps in order, each once", async () => {
    await bring(1);
    await bring(2, to(2, "create table second (a integer)"));
    const steps = [
      to(2, "drop table block"),
      to(4, "insert into second values (4)"),
      to(3, "insert into second values (3)"),
    ];
    await bring(4, ...steps);
    await bring(4, ...steps);
    expect(await sql.all("select a from second order by rowid", [])).toEqual([{ a: 3 }, { a: 4 }]);
    expect(await findFormat(sql, "test.sqlite", 4)).toBe(4);
  });

  it("leaves a database at the format of the last completed step", async () => {
    await bring(1);
    const steps = [
      to(2, "create table second (a integer)"),
      to(3, "create table third (a integer)", "insert into nowhere values (1)"),
    ];
    await expect(bring(3, ...steps)).rejects.toThrow("nowhere");
    expect(await findFormat(sql, "test.sqlite", 3)).toBe(2);
    const found = await sql.listTables();
    expect(found).toContain("second");
    expect(found).not.toContain("third");
    await expect(bring(3)).rejects.toThrow(StoreFormatError);
  });

  const newSinceFormat1 = [
    ...["head", "topic", "lease", "allotment", "reservation", "rate_bucket"],
    ...["state_edit", "state_edit_account", "state_edit_slot", "snapshot", "exchange"],
  ];

  const newInFormat6 = ["transaction_term", "block_figures", "nft_transfer", "nft_holding"];

  /** The indexes that were added to older tables. */
  const newIndexes = ["token_holders", "token_transfer_token_sender", "token_transfer_token_recipient"];
  const dropIndexes = newIndexes.map((name) => `drop index ${name}`);

  it("migrates a format 1 database to the format that several instances can share", async () => {
    const before = tables
      .filter(({ name }) => !newSinceFormat1.includes(name) && !newInFormat6.includes(name))
      .map((table) => {
        const { version: _, collected_by: __, ...columns } = table.columns;
        const isOld = ({ name }: { name: string }) => !name.endsWith("_version") && !newIndexes.includes(name);
        return { ...table, columns, indexes: (table.indexes ?? []).filter(isOld) };
      });
    await sql.transaction(true, (tx) =>
      tx.write([
        ...toDdl(before, sqliteDialect).map((statement) => ({ sql: statement, rows: [[]] })),
        { sql: "insert into store (id, format) values (1, 1)", rows: [[]] },
        {
          sql: "insert into block (number, hash, timestamp, size, transaction_count, header) values (?, ?, 1, 1, 0, x'00')",
          rows: [
            [0, new Uint8Array([1])],
            [1, new Uint8Array([2])],
          ],
        },
        { sql: "insert into pool values (x'01', x'02', x'', 'pending', null, 5, 6, x'03')", rows: [[]] },
      ]),
    );
    await migrate(sql, sqliteDialect, "test.sqlite");
    expect([...(await sql.listTables())].sort()).toEqual(tables.map(({ name }) => name).sort());
    expect(await sql.all("select id, number, hex(hash) as hash from head", [])).toEqual([
      { id: 1, number: 1, hash: "02" },
    ]);
    const store = createStore(sql);
    expect(await store.listPool()).toMatchObject([{ hash: "0x01", seenAtMs: 5, raw: new Uint8Array([3]) }]);
    expect(await store.findVersions()).toEqual({ chain: 0, pool: 0, payment: 0 });
  });

  it("marks settled payments of format 3 as reported, so that their success isn't reported again", async () => {
    await migrate(sql, sqliteDialect, "test.sqlite");
    const store = createStore(sql);
    const [verified, settled] = [toPayment(1, 5), { ...toPayment(2, 6), state: "settled" as const }];
    expect(await store.changePayments([verified, settled])).toBe(true);
    await sql.transaction(true, (tx) =>
      tx.write([
        { sql: "alter table payment drop column collected_by", rows: [[]] },
        { sql: "drop table exchange", rows: [[]] },
        ...dropIndexes.map((statement) => ({ sql: statement, rows: [[]] })),
        ...newInFormat6.map((name) => ({ sql: `drop table ${name}`, rows: [[]] })),
        { sql: "update store set format = 3", rows: [[]] },
      ]),
    );
    await migrate(sql, sqliteDialect, "test.sqlite");
    expect(await store.findPayment(verified.id)).toEqual(verified);
    expect(await store.findPayment(settled.id)).toEqual({ ...settled, collectedBy: "" });
  });

  it("deletes the explorer's rows of format 5, so that the node rebuilds them with the new ones", async () => {
    await migrate(sql, sqliteDialect, "test.sqlite");
    const store = createStore(sql);
    await store.commit(createTestChain().next());
    expect(await store.findReadModelEnd()).toBe(1);
    await sql.transaction(true, (tx) =>
      tx.write(
        [...dropIndexes, ...newInFormat6.map((name) => `drop table ${name}`), "update store set format = 5"].map(
          (statement) => ({ sql: statement, rows: [[]] }),
        ),
      ),
    );
    await migrate(sql, sqliteDialect, "test.sqlite");
    expect(await store.findReadModelEnd()).toBe(0);
    expect((await store.findHead())?.number).toBe(0);
  });

  it("keeps an older database's rows, converted by each step", async () => {
    await bring(1);
    await sql.transaction(true, (tx) =>
      tx.write([{ sql: "insert into code (hash, code) values (x'01', x'60')", rows: [[]] }]),
    );
    const widen = to(2, "alter table code add column label text not null default 'unnamed'");
    await bring(2, widen);
    expect(await sql.all("select hex(hash) as hash, hex(code) as code, label from code", [])).toEqual([
      { hash: "01", code: "60", label: "unnamed" },
    ]);
    expect(await createStore(sql).findCode("0x01")).toEqual(new Uint8Array([0x60]));
  });

  it("rejects a newer format and reports the newest supported one", async () => {
    await bring(9);
    await expect(bring(8)).rejects.toThrow("test.sqlite has format 9, but this version supports formats up to 8");
    await expect(bring(8)).rejects.toThrow(StoreFormatError);
  });
});
