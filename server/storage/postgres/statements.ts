/**
 * Translates our SQL to Postgres: qualifies table names, numbers parameters, replaces functions, and writes many rows
 * in a few statements. Statements don't depend on session settings, so they work behind any connection pooler.
 */
import { tables } from "@/server/storage/schema";
import type { SqlValue, SqlWrite } from "@/server/storage/sql";

type Statement = { text: string; values: SqlValue[] };

export type Translator = {
  toText(sql: string): string;
  /** Returns statements that have the same effect as running the write once per row, in order. */
  toStatements(write: SqlWrite): Statement[];
};

/**
 * The maximum number of parameters per statement. The protocol allows 65,535, but statements with more parameters than
 * this take longer to parse.
 */
const maxParameters = 6_000;

const names = tables.map(({ name }) => name).join("|");
const tableName = new RegExp(`\\b(from|join|into|update|table|on)(\\s+)(${names})\\b(?!\\.)`, "gi");
/** SQLite's function for the hex digits of bytes. In Postgres, the function is called `encode`. */
const hexCall = /\bhex\(([\w.]+)\)/g;
const clock = "(floor(extract(epoch from clock_timestamp()) * 1000)::bigint)";
const insertPattern =
  /^insert into (\w+) \(([^)]*)\) values \((\?(?:, \?)*)\)((?: on conflict(?: \(([^)]*)\))? do [\s\S]*)?)$/;
const deletePattern = /^delete from (\w+) where (\w+ = \?(?: and \w+ = \?)*)$/;

/**
 * Translates statements for the tables of one schema. Translations are cached, because there are few distinct
 * statements.
 */
export function createTranslator(schema: string): Translator {
  const known = new Map<string, string>();
  const quoted = `"${schema}"`;

  function qualify(sql: string): string {
    return sql
      .replaceAll(tableName, `$1$2${quoted}.$3`)
      .replaceAll("now_ms()", clock)
      .replaceAll(hexCall, "encode($1, 'hex')");
  }

  function toText(sql: string): string {
    let text = known.get(sql);
    if (text === undefined) {
      let count = 0;
      text = qualify(sql).replaceAll("?", () => `$${++count}`);
      known.set(sql, text);
    }
    return text;
  }

  return {
    toText,
    toStatements({ sql, rows }) {
      if (rows.length === 0) return [];
      const insert = rows.length > 1 ? insertPattern.exec(sql) : null;
      if (insert) {
        const [, table = "", columns = "", , ending = "", key] = insert;
        // A statement can't write the same row twice, so only the last write to each row is kept.
        const kept = key !== undefined && ending.includes("do update") ? lastOfEach(rows, columns, key) : rows;
        const start = qualify(`insert into ${table} (${columns}) values `);
        return toChunks(kept).map((chunk) => ({
          text: `${start}${toTuples(chunk)}${qualify(ending)}`,
          values: chunk.flat(),
        }));
      }
      const removal = rows.length > 1 ? deletePattern.exec(sql) : null;
      if (removal) {
        const [, table = "", conditions = ""] = removal;
        const columns = conditions.split(" and ").map((condition) => condition.split(" ")[0]);
        const start = qualify(`delete from ${table} where (${columns.join(", ")}) in (`);
        return toChunks(rows).map((chunk) => ({ text: `${start}${toTuples(chunk)})`, values: chunk.flat() }));
      }
      const text = toText(sql);
      return rows.map((values) => ({ text, values }));
    },
  };
}

function lastOfEach(rows: SqlValue[][], columns: string, key: string): SqlValue[][] {
  const all = columns.split(", ");
  const places = key.split(", ").map((name) => all.indexOf(name));
  const toKey = (row: SqlValue[]) =>
    places
      .map((place) => {
        const value = row[place];
        return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
      })
      .join(" ");
  return [...new Map(rows.map((row) => [toKey(row), row])).values()];
}

function toChunks(rows: SqlValue[][]): SqlValue[][][] {
  const size = Math.max(1, Math.floor(maxParameters / Math.max(1, rows[0]?.length ?? 1)));
  const chunks: SqlValue[][][] = [];
  for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
  return chunks;
}

function toTuples(rows: SqlValue[][]): string {
  let count = 0;
  return rows.map((row) => `(${row.map(() => `$${++count}`).join(", ")})`).join(", ");
}
