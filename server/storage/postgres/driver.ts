/**
 * Postgres as a SqlDriver: one schema of a database holds one store. Reads use any pooled connection; each transaction
 * has its own, in READ COMMITTED, where statements after a row lock see what was committed before it. If a connection
 * breaks before the commit, the work is run again.
 */

import type pg from "pg";
import { pause } from "@/lib/pause";
import { StoreUncertainError } from "@/server/storage/errors";
import { isConflict, isConnectionLoss, isUnsent, toStoreError } from "@/server/storage/postgres/failures";
import { acquirePool, hintChannel } from "@/server/storage/postgres/pools";
import { createTranslator } from "@/server/storage/postgres/statements";
import type { SqlDriver, SqlRow, SqlValue, SqlWrite, SqlWriter } from "@/server/storage/sql";

/** How long to retry after a broken connection or a conflict. */
const patienceMs = 10_000;
const leastTries = 3;
const firstPauseMs = 20;
const longestPauseMs = 500;
/**
 * The server ends a session that holds locks and is idle for this long: its instance hangs, or was cut off without the
 * server noticing.
 */
const begin = "begin; set local idle_in_transaction_session_timeout = '15s'; set local lock_timeout = '60s'";

export type PostgresOptions = { url: string; schema: string; readonly: boolean; connections: number };

/** How messages refer to the database: its URL without the password. */
export function toName(url: string, schema: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname} (schema ${schema})`;
}

/** Connects on the first statement. The driver throws StoreUnavailableError if it cannot connect. */
export function openPostgres({ url, schema, readonly, connections }: PostgresOptions): SqlDriver {
  const { pool, onHint, release } = acquirePool(url, connections);
  const { toText, toStatements } = createTranslator(schema);
  const name = toName(url, schema);
  // Otherwise, transactions that wait for the same row would take every connection and leave none for reads.
  const inTurn = createLimit(Math.max(1, Math.floor(connections / 3)));

  /** Retries until the attempt succeeds, fails with an error that cannot be retried, or takes too long. */
  async function persist<T>(attempt: () => Promise<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
    const deadlineMs = Date.now() + patienceMs;
    let pauseMs = firstPauseMs;
    for (let tries = 1; ; tries++, pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await attempt();
      } catch (error) {
        // On an overloaded machine, a single attempt may use up all of the time.
        const isOver = Date.now() > deadlineMs && tries >= leastTries;
        if (!mayRepeat(error) || isOver) throw toStoreError(error, name);
        // Jitter keeps two conflicting transactions from colliding again.
        await pause(pauseMs * (0.5 + Math.random()));
      }
    }
  }

  const query = async <R extends SqlRow>(client: pg.Pool | pg.PoolClient, sql: string, params: SqlValue[]) =>
    (await client.query<R>(toText(sql), params)).rows;
  const read = <R extends SqlRow>(sql: string, params: SqlValue[]) =>
    persist(() => query<R>(pool, sql, params), isConnectionLoss);

  function toWriter(client: pg.PoolClient): SqlWriter {
    return {
      all: (sql, params) => query(client, sql, params),
      get: async <R extends SqlRow>(sql: string, params: SqlValue[]) => (await query<R>(client, sql, params))[0],
      change: async (sql, params) => (await client.query(toText(sql), params)).rowCount ?? 0,
      async write(writes: SqlWrite[]) {
        const sent = writes.flatMap(toStatements).map(({ text, values }) => client.query(text, values));
        // Wait for all of them before reporting the first failure, so that no statement of this transaction is still
        // running.
        const failure = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
        if (failure?.status === "rejected") throw failure.reason;
      },
    };
  }

  async function runOnce<T>(work: (tx: SqlWriter) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let failure: Error | undefined;
    const onError = (error: Error) => {
      failure = error;
    };
    client.on("error", onError);
    let isCommitting = false;
    try {
      const begun = client.query(begin);
      // Sent together with the first statement of the work, which fails too if this one does.
      begun.catch(() => undefined);
      const result = await work(toWriter(client));
      await begun;
      isCommitting = true;
      await client.query("commit");
      isCommitting = false;
      // Sent after the commit, so that a database without notifications loses nothing.
      client.query(`select pg_notify('${hintChannel}', $1)`, [schema]).catch(() => undefined);
      return result;
    } catch (error) {
      if (isCommitting && isConnectionLoss(error) && !isUnsent(error)) {
        failure = error as Error;
        throw new StoreUncertainError(`The connection to ${name} broke while a change was landing.`, { cause: error });
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

  return {
    isShared: true,
    all: read,
    get: async <R extends SqlRow>(sql: string, params: SqlValue[]) => (await read<R>(sql, params))[0],
    // Always durable: once a commit is acknowledged it is on disk, because any machine may be lost.
    async transaction<T>(_durable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T> {
      if (readonly) throw new Error("This store was opened for reading; the chain's writer is another one.");
      return persist(
        () => inTurn(() => runOnce(work)),
        (error) => isConflict(error) || isConnectionLoss(error),
      );
    },
    onHint: (listener) => onHint(schema, listener),
    // The server acknowledges a commit only once it is on disk.
    flushed: async () => undefined,
    async listTables() {
      const rows = await read<{ name: string }>("select tablename as name from pg_tables where schemaname = ?", [
        schema,
      ]);
      return rows.map((row) => row.name);
    },
    async findSize() {
      const sizes =
        "select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as size from pg_class c " +
        "join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relkind = 'r'";
      const [row] = await read<{ size: number }>(sizes, [schema]);
      return row?.size ?? 0;
    },
    close: release,
  };
}

/** Creates the schema if it is missing. Throws StoreUnavailableError. */
export async function createSchema(url: string, schema: string, connections: number): Promise<void> {
  const { pool, release } = acquirePool(url, connections);
  try {
    const found = await pool.query("select 1 from pg_namespace where nspname = $1", [schema]);
    if (found.rowCount === 0) await pool.query(`create schema if not exists "${schema}"`);
  } catch (error) {
    throw toStoreError(error, toName(url, schema));
  } finally {
    await release();
  }
}

/** Names of the schemas that start with a prefix. Throws StoreUnavailableError. */
export async function findSchemas(url: string, prefix: string): Promise<string[]> {
  const { pool, release } = acquirePool(url, 1);
  try {
    const found = await pool.query<{ name: string }>(
      "select nspname as name from pg_namespace where starts_with(nspname, $1) order by nspname",
      [prefix],
    );
    return found.rows.map(({ name }) => name);
  } catch (error) {
    throw toStoreError(error, toName(url, prefix));
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
      // Its slot is handed over directly, so that a task that arrives in between cannot take it.
      if (next) next();
      else running--;
    }
  };
}
