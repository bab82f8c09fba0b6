/**
 * Copies a whole store between any two databases. Rows are copied in key order, and the rows that identify the chain
 * are copied last. The target is then read back and compared with the source.
 */
import { createHash } from "node:crypto";
import { StoreFormatError, StoreIdentityError } from "@/server/storage/errors";
import { findVersions } from "@/server/storage/queries/topics";
import { type Table, tables, toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlReader, SqlRow, SqlValue } from "@/server/storage/sql";

/** Tables that aren't copied, because their rows are short-lived and meaningful only in one deployment. */
const passing = ["lease", "reservation", "rate_bucket"];
/**
 * The table that identifies a database's chain. Only the chain ID and the genesis hash are copied from it, so the
 * target keeps its own format.
 */
const identity = "store";
const pageLength = 500;

export type CopyReport = { rows: number; head: { number: number; hash: Uint8Array } | undefined };

/**
 * Copies all rows. Both databases must have the current format. Throws StoreIdentityError if the target is not empty.
 * Throws StoreFormatError if the source changed during the copy, or if the target differs from it afterward.
 */
export async function copyStore(
  from: SqlDriver,
  to: SqlDriver,
  onRows: (table: string, rows: number) => void = () => {},
): Promise<CopyReport> {
  const copied = tables.filter(({ name }) => name !== identity && !passing.includes(name));
  for (const { name } of copied) {
    if (await to.get(`select 1 as present from ${name} limit 1`, [])) {
      throw new StoreIdentityError("The target is not empty; choose a new one.");
    }
  }
  const before = await findVersions(from);
  let rows = 0;
  for (const table of copied) {
    const digest = createHash("sha256");
    const sql = toInsert(table.name, "fail");
    let count = 0;
    for await (const page of readPages(from, table)) {
      const values = page.map((row) => toValues(table, row));
      addTo(digest, values);
      await to.transaction(true, (tx) => tx.write([{ sql, rows: values }]));
      count += page.length;
      onRows(table.name, count);
    }
    await assertCopied(to, table, digest.digest("hex"));
    rows += count;
  }
  const after = await findVersions(from);
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    throw new StoreFormatError("The source changed during the copy; stop every instance that uses it and try again.");
  }
  const known = await from.get<{ chain_id: number | null; genesis_hash: Uint8Array | null }>(
    "select chain_id, genesis_hash from store where id = 1",
    [],
  );
  await to.transaction(true, (tx) =>
    tx.write([
      {
        sql: "update store set chain_id = ?, genesis_hash = ? where id = 1",
        rows: [[known?.chain_id ?? null, known?.genesis_hash ?? null]],
      },
    ]),
  );
  return {
    rows,
    head: await to.get<{ number: number; hash: Uint8Array }>("select number, hash from head where id = 1", []),
  };
}

async function assertCopied(to: SqlReader, table: Table, expected: string): Promise<void> {
  const digest = createHash("sha256");
  for await (const page of readPages(to, table)) {
    addTo(
      digest,
      page.map((row) => toValues(table, row)),
    );
  }
  if (digest.digest("hex") === expected) return;
  throw new StoreFormatError(
    `Table ${table.name} in the target differs from the source; delete the target and copy again.`,
  );
}

/** Yields all rows of a table in key order, one page at a time. */
async function* readPages(sql: SqlReader, { name, columns, key }: Table): AsyncGenerator<SqlRow[]> {
  const select = `select ${Object.keys(columns).join(", ")} from ${name}`;
  const order = `order by ${key.join(", ")} limit ?`;
  const after = `where (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  let last: SqlValue[] | undefined;
  for (;;) {
    const page = await sql.all<SqlRow>(last ? `${select} ${after} ${order}` : `${select} ${order}`, [
      ...(last ?? []),
      pageLength,
    ]);
    if (page.length > 0) yield page;
    const end = page.at(-1);
    if (!end || page.length < pageLength) return;
    last = key.map((column) => end[column]!);
  }
}

function toValues({ columns }: Table, row: SqlRow): SqlValue[] {
  return Object.keys(columns).map((name) => row[name] ?? null);
}

/** Hashes values with their types and lengths, so that different lists of rows have different hashes. */
function addTo(digest: ReturnType<typeof createHash>, rows: SqlValue[][]): void {
  for (const value of rows.flat()) {
    const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
    const kind = value === null ? "null" : value instanceof Uint8Array ? "bytes" : typeof value;
    digest.update(`${kind} ${bytes.length} `);
    digest.update(bytes);
  }
}
