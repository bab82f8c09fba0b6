/**
 * Opens databases, so that other code doesn't depend on their drivers. Checks a database's origin, format and chain
 * before it writes anything.
 */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Store, StoreLocation } from "@/server/ports/store";
import { StoreFormatError, StoreIdentityError, StoreUnavailableError } from "@/server/storage/errors";
import { createKeyFile, type KeyStore } from "@/server/storage/keyFile";
import { makeFolder } from "@/server/storage/makeFolder";
import { findFormat, migrate } from "@/server/storage/migrate";
import { withNodeCache } from "@/server/storage/nodeCache";
import { createSchema, listSchemas, openPostgres, toName } from "@/server/storage/postgres/driver";
import { isCreatedTwice, toStoreError } from "@/server/storage/postgres/failures";
import { createKeyRow } from "@/server/storage/postgres/keyRow";
import { FORMAT, postgresDialect, sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { acquireLock } from "@/server/storage/sqlite/lock";
import { createStore, findIdentity, type Identity } from "@/server/storage/store";

type PostgresLocation = Extract<StoreLocation, { kind: "postgres" }>;

/**
 * Opens a store to read or write a database. Opening it for writing creates or migrates the database. Throws
 * StoreUnavailableError or StoreFormatError, or StoreLockedError if the database is a file that already has a writer.
 */
export async function openStore(location: StoreLocation, { readonly }: { readonly: boolean }): Promise<Store> {
  const store = createStore(await openDriver(location, readonly));
  return location.kind === "postgres" ? withNodeCache(store) : store;
}

/**
 * Opens a store as the writer of a chain. If the database is empty, initializes it for the chain's genesis block.
 * Throws the same errors as `openStore`, and StoreIdentityError if the database belongs to another chain or genesis.
 */
export async function openOrCreate(location: StoreLocation, identity: Identity): Promise<Store> {
  return createStore(await openDriver(location, false, identity));
}

/** Opens the raw tables for writing, for programs that copy them. Throws the same errors as `openStore`. */
export function openTables(location: StoreLocation): Promise<SqlDriver> {
  return openDriver(location, false);
}

/** Opens the store of a node's secret keys, which is kept with the node's data. */
export function openKeyStore({ dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string }): KeyStore {
  if (databaseUrl === undefined) return createKeyFile(join(dataDir, "keys.json"));
  const row = createKeyRow(databaseUrl);
  return { ...row, insert: (text) => orAgain(() => row.insert(text)) };
}

/** Lists the names of the database schemas that start with a prefix. Throws StoreUnavailableError. */
export { listSchemas };

function openDriver(location: StoreLocation, readonly: boolean, identity?: Identity): Promise<SqlDriver> {
  if (location.kind === "postgres") return openShared(location, readonly, identity);
  const { file, isKept } = location;
  return guard(file, () => (readonly ? openReader(file) : openWriter(file, isKept, identity)));
}

async function openShared(
  { url, schema, connections }: PostgresLocation,
  readonly: boolean,
  identity: Identity | undefined,
): Promise<SqlDriver> {
  const name = toName(url, schema);
  if (!readonly) await orAgain(() => createSchema(url, schema, connections));
  const sql = openPostgres({ url, schema, readonly, connections });
  return closingOnFailure(sql, async () => {
    try {
      if (readonly) await assertReadable(sql, name);
      else {
        if (identity) await assertIdentity(sql, name, identity, "database");
        await orAgain(async () => migrate(sql, postgresDialect, name));
      }
      return sql;
    } catch (error) {
      throw toStoreError(error, name);
    }
  });
}

/**
 * Runs the work, and runs it again if another instance created the same objects at the same time. This can happen when
 * instances start together. The second attempt finds those objects.
 */
async function orAgain(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isCreatedTwice(error) || attempt === 5) throw error;
    }
  }
}

async function openReader(file: string): Promise<SqlDriver> {
  if (!hasData(file))
    throw new StoreUnavailableError(`No database exists at ${file} yet; start the node to create it.`);
  const sql = openSqlite(file, { readonly: true });
  return closingOnFailure(sql, async () => {
    await assertReadable(sql, file);
    return sql;
  });
}

async function assertReadable(sql: SqlDriver, name: string): Promise<void> {
  const format = await findFormat(sql, name);
  if (format === undefined)
    throw new StoreUnavailableError(`No database exists at ${name} yet; start the node to create it.`);
  if (format < FORMAT) {
    throw new StoreFormatError(
      `${name} has the older format ${format}; start the node once to migrate it to ${FORMAT}.`,
    );
  }
}

async function openWriter(
  file: string,
  isKept: boolean | undefined,
  identity: Identity | undefined,
): Promise<SqlDriver> {
  if (hasData(file)) await inspect(file, identity);
  else makeFolder(dirname(file));
  const release = acquireLock(file);
  try {
    const sql = openSqlite(file, { readonly: false, isKept });
    return await closingOnFailure(sql, async () => {
      await migrate(sql, sqliteDialect, file);
      // Releases the lock only after the connection has merged the write-ahead log and closed.
      return { ...sql, close: () => sql.close().then(release) };
    });
  } catch (cause) {
    release();
    throw cause;
  }
}

/** Inspects a database over a read-only connection, so that a file that isn't ours stays untouched. */
async function inspect(file: string, identity: Identity | undefined): Promise<void> {
  const sql = openSqlite(file, { readonly: true });
  try {
    if (identity) await assertIdentity(sql, file, identity, "data folder");
    else await findFormat(sql, file);
  } finally {
    await sql.close();
  }
}

/**
 * Throws unless the database is empty or belongs to the chain. The error message tells the operator to choose another
 * `place`.
 */
async function assertIdentity(sql: SqlDriver, name: string, identity: Identity, place: string): Promise<void> {
  if ((await findFormat(sql, name)) === undefined) return;
  const stored = await findIdentity(sql);
  if (!stored) return;
  if (stored.chainId !== identity.chainId) {
    throw new StoreIdentityError(
      `${name} belongs to chain ${stored.chainId}, not to chain ${identity.chainId}; choose another ${place}.`,
    );
  }
  if (stored.genesisHash !== identity.genesisHash) {
    throw new StoreIdentityError(
      `${name} starts with a different genesis block (${stored.genesisHash}, not ${identity.genesisHash}); ` +
        `use the version and settings that created it, or choose another ${place}.`,
    );
  }
}

async function closingOnFailure<T>(sql: SqlDriver, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    await sql.close();
    throw cause;
  }
}

/** Whether a file contains a database. */
export function hasData(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Turns an error code from SQLite or the file system into a clear message. */
async function guard<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code.startsWith("SQLITE_NOTADB")) throw new StoreFormatError(`${file} is not a database.`, { cause });
    if (code.startsWith("SQLITE_CORRUPT")) throw new StoreFormatError(`${file} is damaged.`, { cause });
    // The table names match Tollscan's, but the columns do not.
    if (code === "SQLITE_ERROR") throw new StoreFormatError(`${file} was created by another program.`, { cause });
    if (/^(EACCES|EPERM|EROFS|SQLITE_READONLY)/.test(code)) {
      const why = `${dirname(file)} is read-only for this process; make it writable or choose another data folder.`;
      throw new StoreUnavailableError(why, { cause });
    }
    if (code.startsWith("SQLITE_") || /^E[A-Z]+$/.test(code)) {
      throw new StoreUnavailableError(`${file} cannot be opened as a database (${code}).`, { cause });
    }
    throw cause;
  }
}
