/**
 * Postgres as a SqlDriver: one schema of a database holds one store. Reads take any connection of the pool; a
 * transaction has one for itself, in READ COMMITTED, where each statement after a locked row sees what was committed
 * before it. Work that was not committed when its connection broke is run again.
 */

import type pg from "pg";
import { pause } from "@/lib/pause";
import { StoreUncertainError } from "@/server/storage/errors";
import { isConflict, isConnectionLoss, isUnsent, toStoreError } from "@/server/storage/postgres/failures";
import { acquirePool, hintChannel } from "@/server/storage/postgres/pools";
import { createTranslator } from "@/server/storage/postgres/statements";
import type { SqlDriver, SqlRow, SqlValue, SqlWrite, SqlWriter } from "@/server/storage/sql";

/** How long a broken connection or a conflict is answered by trying again. */
const patienceMs = 10_000;
const leastTries = 3;
const firstPauseMs = 20;
const longestPauseMs = 500;
/**
 * A session that holds locks and says nothing for so long is ended by the server: its instance hangs, or is cut off and
 * the server has not noticed.
 */
const begin = "begin; set local idle_in_transaction_session_timeout = '15s'; set local lock_timeout = '60s'";

export type PostgresOptions = { url: string; schema: string; readonly: boolean; connections: number };

/** What messages call the database: its place without the password. */
export function toName(url: string, schema: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname} (schema ${schema})`;
}

/** Opens no connection before the first statement. The driver throws StoreUnavailableError where none can be had. */
export function openPostgres({ url, schema, readonly, connections }: PostgresOptions): SqlDriver {
  const { pool, onHint, release } = acquirePool(url, connections);
  const { toText, toStatements } = createTranslator(schema);
  const name = toName(url, schema);
  // Those that wait for the same row would otherwise take every connection, and leave none to read with.
  const inTurn = createLimit(Math.max(1, Math.floor(connections / 3)));

  /** Tries until it works, fails for a reason of its own, or takes too long. */
  async function persist<T>(attempt: () => Promise<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
    const deadlineMs = Date.now() + patienceMs;
    let pauseMs = firstPauseMs;
    for (let tries = 1; ; tries++, pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await attempt();
      } catch (error) {
        // On a machine that is overloaded a single try may take all of the time.
        const isOver = Date.now() > deadlineMs && tries >= leastTries;
        if (!mayRepeat(error) || isOver) throw toStoreError(error, name);
        // Two that stand in each other's way must not meet again.
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
        // All of them end before the first failure is told: nothing of this transaction is under way after that.
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
      // Sent together with the first statement of the work, which fails as it does.
      begun.catch(() => undefined);
      const result = await work(toWriter(client));
      await begun;
      isCommitting = true;
      await client.query("commit");
      isCommitting = false;
      // After the commit, so that a database that knows no hints loses nothing.
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
    // What was acknowledged is on the disk, whatever is asked for: nobody can say which machine is lost.
    async transaction<T>(_durable: boolean, work: (tx: SqlWriter) => Promise<T>): Promise<T> {
      if (readonly) throw new Error("This store was opened for reading; the chain's writer is another one.");
      return persist(
        () => inTurn(() => runOnce(work)),
        (error) => isConflict(error) || isConnectionLoss(error),
      );
    },
    onHint: (listener) => onHint(schema, listener),
    // The server answers a commit when its disk has it.
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

/** Makes the schema where it is missing. Throws StoreUnavailableError. */
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

/** Names of the schemas that begin with a prefix. Throws StoreUnavailableError. */
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

/** Runs so many works at a time, the others in the order in which they came. */
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
      // Its place is passed on, so that nobody who comes in between takes it.
      if (next) next();
      else running--;
    }
  };
}
