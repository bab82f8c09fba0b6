/**
 * Manages the format of a database: creates the tables of a new database, upgrades an older one by one format at a
 * time, and rejects a newer or foreign one. Each migration is committed together with its format number.
 */
import { StoreFormatError } from "@/server/storage/errors";
import { type Dialect, FORMAT, readModelTables, tables, toDdl } from "@/server/storage/schema";
import type { SqlDriver, SqlReader, SqlWrite } from "@/server/storage/sql";

/** Migrates a database from format `to - 1` to format `to`. */
export type Migration = { to: number; statements: (dialect: Dialect) => string[] };

/** Format 2 adds the tables for sharing a database among several instances and for rewinding. */
const sharedTables = [
  ...["head", "topic", "lease", "allotment", "reservation", "rate_bucket"],
  ...["state_edit", "state_edit_account", "state_edit_slot", "snapshot"],
];

/** The explorer's tables that format 6 adds: for filters, for each block's counts, and for NFTs. */
const readModelAdditions = ["transaction_term", "block_figures", "nft_transfer", "nft_holding"];

/** The migrations in order, one for each format after the first. */
export const migrations: Migration[] = [
  {
    to: 2,
    statements: (dialect) => [
      ...toDdl(
        tables.filter(({ name }) => sharedTables.includes(name)),
        dialect,
      ),
      "insert into head (id, number, hash) select 1, number, hash from block order by number desc limit 1",
      `alter table pool add column version ${dialect.types.int} not null default 0`,
      "create index pool_version on pool (version)",
      `alter table payment add column version ${dialect.types.int} not null default 0`,
      "create index payment_version on payment (version)",
    ],
  },
  {
    // Format 3 limits how many paid resources each payer and each payee can have in the catalog. The migration empties
    // the table. The next payment for a resource adds it back.
    to: 3,
    statements: (dialect) => [
      "drop table paid_resource",
      ...toDdl(
        tables.filter(({ name }) => name === "paid_resource"),
        dialect,
      ),
    ],
  },
  {
    // Format 4 records which caller was told that a payment succeeded. For payments that have already succeeded, the
    // caller isn't known, so an empty name is stored.
    to: 4,
    statements: (dialect) => [
      `alter table payment add column collected_by ${dialect.types.text}`,
      "update payment set collected_by = '' where state in ('settled', 'refunded')",
    ],
  },
  {
    // Format 5 adds recorded exchanges.
    to: 5,
    statements: (dialect) =>
      toDdl(
        tables.filter(({ name }) => name === "exchange"),
        dialect,
      ),
  },
  {
    // The explorer's rows are deleted. The node rebuilds them from the chain when it starts.
    to: 6,
    statements: (dialect) => [
      ...toDdl(
        tables.filter(({ name }) => readModelAdditions.includes(name)),
        dialect,
      ),
      "create index token_holders on token (holders, address)",
      ...readModelTables.map((name) => `delete from ${name}`),
    ],
  },
  {
    // Format 7 can list an address's transfers of one token.
    to: 7,
    statements: () =>
      ["sender", "recipient"].map(
        (party) => `create index token_transfer_token_${party} on token_transfer (token, ${party}, position)`,
      ),
  },
];

/**
 * Returns a database's format, or undefined if the database is empty. `name` is used in messages. Throws
 * StoreFormatError if this is not a Tollscan database, or if its format is newer than `newest`.
 */
export async function findFormat(
  sql: Pick<SqlDriver, "listTables"> & SqlReader,
  name: string,
  newest: number = FORMAT,
): Promise<number | undefined> {
  const found = await sql.listTables();
  if (found.length === 0) return undefined;
  if (!found.includes("store") || !found.includes("block")) {
    throw new StoreFormatError(`${name} was created by another program.`);
  }
  const row = await sql.get<{ format: number }>("select format from store where id = 1", []);
  if (!row)
    throw new StoreFormatError(`${name} is incomplete, because its creation did not finish; delete it to start over.`);
  if (row.format > newest) {
    throw new StoreFormatError(
      `${name} has format ${row.format}, but this version supports formats up to ${newest}; run a newer version.`,
    );
  }
  return row.format;
}

/**
 * Migrates a database to the newest format. Throws StoreFormatError in the same cases as `findFormat`, before anything
 * is written.
 */
export async function migrate(
  sql: SqlDriver,
  dialect: Dialect,
  name: string,
  plan: { format: number; migrations: Migration[] } = { format: FORMAT, migrations },
): Promise<void> {
  const found = await findFormat(sql, name, plan.format);
  if (found === undefined) {
    const statements = toDdl(tables, dialect);
    const mark: SqlWrite = { sql: "insert into store (id, format) values (1, ?)", rows: [[plan.format]] };
    return sql.transaction(true, (tx) => tx.write([...statements.map(toWrite), mark]));
  }
  for (let to = found + 1; to <= plan.format; to++) {
    const migration = plan.migrations.find((candidate) => candidate.to === to);
    if (!migration) throw new StoreFormatError(`${name} has format ${found}, which cannot be migrated to ${to}.`);
    const statements = migration.statements(dialect).map(toWrite);
    await sql.transaction(true, async (tx) => {
      // If several instances start at once, one of them migrates the database, and the others then find it in the
      // current format.
      const marked = await tx.change("update store set format = ? where id = 1 and format = ?", [to, to - 1]);
      if (marked === 1) await tx.write(statements);
    });
  }
}

function toWrite(sql: string): SqlWrite {
  return { sql, rows: [[]] };
}
