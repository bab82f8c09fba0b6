/**
 * Implements SqlDriver for Postgres, with one schema per store. Transactions use READ COMMITTED, so that statements
 * after a row lock see everything committed before the lock. If a connection breaks before the commit, the work is run
 * again.
 */

import type pg from "pg";
import { pause } from "@/lib/pause";
import { StoreUncertainError } from "@/server/storage/errors";
import { isCommitUncertain, isConflict, isConnectionLoss, toStoreError } from "@/server/storage/postgres/failures";
import { acquirePool, hintChannel } from "@/server/storage/postgres/pools";
import { createTranslator, type Translator } from "@/server/storage/postgres/statements";
import type { SqlDriver, SqlRow, SqlValue, SqlWrite, SqlWriter } from "@/server/storage/sql";

/** How long to keep retrying after a broken connection or a conflict. */
const patienceMs = 10_000;
const leastTries = 3;
const firstPauseMs = 20;
const longestPauseMs = 500;
/**
 * The server ends a session if its transaction has been idle for this long, because the session holds locks while its
 * instance hangs or is unreachable.
 */
const begin = "begin; set local idle_in_transaction_session_timeout = '15s'; set local lock_timeout = '60s'";

export type PostgresOptions = { url: string; schema: string; readonly: boolean; connections: number };

/** Returns the name that messages use for the database: its URL without the password. */
export function toName(url: string, schema: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname} (schema ${schema})`;
}

type Database = {
  pool: pg.Pool;
  /** The name that messages use for the database. */
  name: string;
  schema: string;
  translator: Translator;
};

/** Creates a driver that connects on the first statement. It throws StoreUnavailableError if it cannot connect. */
export function openPostgres({ url, schema, readonly, connections }: PostgresOptions): SqlDriver {
  const { pool, onHint, release } = acquirePool(url, connections);
  const db: Database = { pool, name: toName(url, schema), schema, translator: createTranslator(schema) };
  // Without this limit, transactions that wait for the same row could use every connection and block all reads.
  const inTurn = createLimit(Math.max(1, Math.floor(connections / 3)));
  const read = <R extends SqlRow>(sql: string, params: SqlValue[]) =>
    persist(db, () => query<R>(db, pool, sql, params), isConnectionLoss);

  return {
    isShared: true,
    isOnlyWriter: false,
    all: read,
    get: async <R extends SqlRow>(sql: string, params: SqlValue[]) => (await read<R>(sql, params))[0],
    // Every transaction is durable: a commit isn't acknowledged before it is on disk.
    async transaction<T>(_durable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T> {
      if (readonly) throw new Error("This store was opened as read-only, so it cannot be written to.");
      return persist(
        db,
        () => inTurn(() => runOnce(db, work)),
        (error) => isConflict(error) || isConnectionLoss(error),
      );
    },
    onHint: (listener) => onHint(schema, listener),
    flushed: async () => undefined,
    async listTables() {
      const rows = await read<{ name: string }>(tableNames, [schema]);
      return rows.map((row) => row.name);
    },
    findFreeSpace: async () => undefined,
    async findSize() {
      const [row] = await read<{ size: number }>(tableSizes, [schema]);
      return row?.size ?? 0;
    },
    close: release,
  };
}

const tableNames = "select tablename as name from pg_tables where schemaname = ?";
const tableSizes = `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as size from pg_class c
  join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relkind = 'r'`;

/** Retries until the attempt succeeds, fails with an error that cannot be retried, or takes too long. */
async function persist<T>(
  { name }: Database,
  attempt: () => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
): Promise<T> {
  const deadlineMs = Date.now() + patienceMs;
  let pauseMs = firstPauseMs;
  for (let tries = 1; ; tries++, pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      // On an overloaded machine, a single attempt may use up the whole time, so a few attempts are always made.
      const isOver = Date.now() > deadlineMs && tries >= leastTries;
      if (!mayRepeat(error) || isOver) throw toStoreError(error, name);
      // Jitter keeps two conflicting transactions from colliding again.
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }
}

async function query<R extends SqlRow>(
  { translator }: Database,
  client: pg.Pool | pg.PoolClient,
  sql: string,
  params: SqlValue[],
): Promise<R[]> {
  return (await client.query<R>(translator.toText(sql), params)).rows;
}

function toWriter(db: Database, client: pg.PoolClient): SqlWriter {
  const { toText, toStatements } = db.translator;
  return {
    all: (sql, params) => query(db, client, sql, params),
    get: async <R extends SqlRow>(sql: string, params: SqlValue[]) => (await query<R>(db, client, sql, params))[0],
    change: async (sql, params) => (await client.query(toText(sql), params)).rowCount ?? 0,
    async write(writes: SqlWrite[]) {
      const sent = writes.flatMap(toStatements).map(({ text, values }) => client.query(text, values));
      // Waits for all statements before it reports a failure, so that no statement is still running.
      const failure = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
      if (failure?.status === "rejected") throw failure.reason;
    },
  };
}

async function runOnce<T>(db: Database, work: (tx: SqlWriter) => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  let failure: Error | undefined;
  const onError = (error: Error) => {
    failure = error;
  };
  client.on("error", onError);
  let isCommitting = false;
  try {
    const begun = client.query(begin);
    // `begin` is sent together with the first statement. If `begin` fails, that statement reports the error.
    begun.catch(() => undefined);
    const result = await work(toWriter(db, client));
    await begun;
    isCommitting = true;
    await client.query("commit");
    isCommitting = false;
    // The notification is sent after the commit. If sending it fails, no data is lost.
    client.query(`select pg_notify('${hintChannel}', $1)`, [db.schema]).catch(() => undefined);
    return result;
  } catch (error) {
    if (isCommitting && isCommitUncertain(error)) {
      failure = error as Error;
      throw new StoreUncertainError(
        `The connection to ${db.name} broke during a commit, so the change may or may not be stored.`,
        {
          cause: error,
        },
      );
    }
    await client.query("rollback").catch((cause: Error) => {
      failure = cause;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(failure);
  }
}

/** Creates the schema if it is missing. Throws StoreUnavailableError. */
export function createSchema(url: string, schema: string, connections: number): Promise<void> {
  return withPool(url, connections, schema, async (pool) => {
    const found = await pool.query("select 1 from pg_namespace where nspname = $1", [schema]);
    if (found.rowCount === 0) await pool.query(`create schema if not exists "${schema}"`);
  });
}

/** Lists the names of the schemas that start with a prefix. Throws StoreUnavailableError. */
export function listSchemas(url: string, prefix: string): Promise<string[]> {
  return withPool(url, 1, prefix, async (pool) => {
    const found = await pool.query<{ name: string }>(
      "select nspname as name from pg_namespace where starts_with(nspname, $1) order by nspname",
      [prefix],
    );
    return found.rows.map(({ name }) => name);
  });
}

/** Runs the work with a connection pool and translates the errors that it throws. */
export async function withPool<T>(
  url: string,
  connections: number,
  schema: string,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const { pool, release } = acquirePool(url, connections);
  try {
    return await work(pool);
  } catch (error) {
    throw toStoreError(error, toName(url, schema));
  } finally {
    await release();
  }
}

/** Runs up to this many tasks at a time and queues the others in order. */
function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next task gets the slot directly, so that no new task can take it.
      if (next) next();
      else running--;
    }
  };
}
