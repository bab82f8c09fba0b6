/**
 * The queries pass the suite also where every answer is a promise, as a database over the network gives them.
 */
import { migrate } from "@/server/storage/migrate";
import { sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver, SqlRow, SqlValue, SqlWrite } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { createTestFile } from "@/server/storage/sqlite/testFile";
import { createStore } from "@/server/storage/store";
import { describeStore } from "@/server/storage/suite/suite";

/** A driver whose every answer is late. A transaction's writes are kept until its work is done. */
function toPromised(driver: SqlDriver): SqlDriver {
  const reader = {
    all: async <R extends SqlRow>(sql: string, params: SqlValue[]) => driver.all<R>(sql, params),
    get: async <R extends SqlRow>(sql: string, params: SqlValue[]) => driver.get<R>(sql, params),
  };
  return {
    ...reader,
    async transaction(durable, work) {
      const kept: SqlWrite[] = [];
      const result = await work({
        ...reader,
        write: async (writes) => {
          kept.push(...writes);
        },
      });
      await driver.transaction(durable, (tx) => tx.write(kept));
      return result;
    },
    listTables: async () => driver.listTables(),
    findSize: async () => driver.findSize(),
    close: async () => driver.close(),
  };
}

describeStore("queries over promises", async () => {
  const { file, remove } = await createTestFile();
  return {
    async open() {
      const driver = toPromised(openSqlite(file, { readonly: false }));
      await migrate(driver, sqliteDialect, file);
      return createStore(driver);
    },
    remove,
  };
});
