/** A driver that reports every read with the number of rows it returned. */
import type { SqlDriver, SqlRow, SqlSyncReader, SqlValue } from "@/server/storage/sql";

export type RecordRead = (sql: string, params: SqlValue[], rows: number) => void;

export function toRecording(driver: SqlDriver, record: RecordRead): SqlDriver {
  const { sync } = driver;
  if (!sync) throw new Error("Only a driver that reads at once is recorded.");
  const recorded: SqlSyncReader = {
    all: <R extends SqlRow>(sql: string, params: SqlValue[]) => {
      const rows = sync.all<R>(sql, params);
      record(sql, params, rows.length);
      return rows;
    },
    get: <R extends SqlRow>(sql: string, params: SqlValue[]) => {
      const row = sync.get<R>(sql, params);
      record(sql, params, row ? 1 : 0);
      return row;
    },
  };
  return {
    ...driver,
    sync: recorded,
    all: async (sql, params) => recorded.all(sql, params),
    get: async (sql, params) => recorded.get(sql, params),
  };
}
