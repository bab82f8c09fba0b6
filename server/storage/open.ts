/**
 * Opens a database, the only place that knows the adapters. A database that is not ours, not of this format or not of
 * this chain is refused before anything is written to it.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreFormatError, StoreIdentityError, StoreUnavailableError } from "@/server/storage/errors";
import { findFormat, migrate } from "@/server/storage/migrate";
import type { Store, StoreLocation } from "@/server/storage/port";
import { FORMAT, sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { acquireLock } from "@/server/storage/sqlite/lock";
import { createStore, findIdentity, type Identity } from "@/server/storage/store";

/**
 * Opens a store to read an existing database, or as its one writer, which creates or migrates it.
 * Throws StoreUnavailableError, StoreFormatError or, for a second writer, StoreLockedError.
 */
export async function openStore(location: StoreLocation, options: { readonly: boolean }): Promise<Store> {
  return options.readonly ? openReader(location.file) : openWriter(location.file, undefined);
}

/**
 * Opens a store as the one writer for a chain. An empty database is made ready for the chain's genesis block.
 * Throws as openStore does, and StoreIdentityError where the database belongs to another chain or genesis.
 */
export async function openOrCreate(location: StoreLocation, identity: Identity): Promise<Store> {
  return openWriter(location.file, identity);
}

async function openReader(file: string): Promise<Store> {
  if (!hasContent(file)) throw new StoreUnavailableError(`There is no database at ${file} yet.`);
  return guard(file, async () => {
    const sql = openSqlite(file, { readonly: true });
    return closingOnFailure(sql, async () => {
      const format = await findFormat(sql, file);
      if (format === undefined) throw new StoreUnavailableError(`There is no database at ${file} yet.`);
      if (format < FORMAT) {
        throw new StoreFormatError(
          `${file} has the older format ${format}; start the node once to bring it to ${FORMAT}.`,
        );
      }
      return createStore(sql);
    });
  });
}

async function openWriter(file: string, identity: Identity | undefined): Promise<Store> {
  return guard(file, async () => {
    if (hasContent(file)) await inspect(file, identity);
    else mkdirSync(dirname(file), { recursive: true });
    const release = acquireLock(file);
    try {
      const sql = openSqlite(file, { readonly: false });
      return await closingOnFailure(sql, async () => {
        await migrate(sql, sqliteDialect, file);
        const store = createStore(sql);
        // The lock outlives the connection, so that the next writer finds the log already folded in.
        return {
          ...store,
          close: async () => {
            await store.close();
            release();
          },
        };
      });
    } catch (cause) {
      release();
      throw cause;
    }
  });
}

/** Looks at a database through a reading connection, which leaves a foreign file as it is. */
async function inspect(file: string, identity: Identity | undefined): Promise<void> {
  const sql = openSqlite(file, { readonly: true });
  try {
    if ((await findFormat(sql, file)) === undefined || !identity) return;
    const stored = await findIdentity(sql);
    if (!stored) return;
    if (stored.chainId !== identity.chainId) {
      throw new StoreIdentityError(
        `${file} belongs to chain ${stored.chainId}, not to chain ${identity.chainId}; choose another data folder.`,
      );
    }
    if (stored.genesisHash !== identity.genesisHash) {
      throw new StoreIdentityError(
        `${file} was made for genesis ${stored.genesisHash}, not for ${identity.genesisHash}; ` +
          "restore the genesis settings or choose another data folder.",
      );
    }
  } finally {
    await sql.close();
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

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Says in one sentence what SQLite and the file system report by code. */
async function guard<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code.startsWith("SQLITE_NOTADB")) throw new StoreFormatError(`${file} is not a database.`, { cause });
    if (code.startsWith("SQLITE_CORRUPT")) throw new StoreFormatError(`${file} is damaged.`, { cause });
    // Tables of our names but not our columns.
    if (code === "SQLITE_ERROR") throw new StoreFormatError(`${file} is a database of another program.`, { cause });
    if (code.startsWith("SQLITE_") || /^E[A-Z]+$/.test(code)) {
      throw new StoreUnavailableError(`${file} cannot be opened as a database (${code}).`, { cause });
    }
    throw cause;
  }
}
