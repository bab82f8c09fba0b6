/**
 * Manages the Postgres connections that a thread shares. Each database has a pool for statements and one connection for
 * notifications. They are opened when they are first needed and closed by their last user.
 */

import pg from "pg";
import { createListeners, type Listeners } from "@/lib/createListeners";

export type SharedPool = {
  pool: pg.Pool;
  /** Calls the listener when another session reports a change to the schema's data. */
  onHint(schema: string, listener: () => void): () => void;
  release(): Promise<void>;
};

/** The channel that instances use to notify each other of changes. */
export const hintChannel = "tollscan";

/** A statement that takes longer than this is canceled, and its connection is closed. */
const statementMs = 120_000;
const connectMs = 10_000;
const idleMs = 30_000;
/** The pause before the listening connection is reopened. */
const listenAgainMs = 5_000;

type Entry = { pool: pg.Pool; hints: Hints; users: number };
const entries = new Map<string, Entry>();

/** `connections` is the maximum number of open connections. */
export function acquirePool(url: string, connections: number): SharedPool {
  const key = `${connections} ${url}`;
  const entry = entries.get(key) ?? openEntry(url, connections);
  entries.set(key, entry);
  entry.users++;
  let isReleased = false;
  return {
    pool: entry.pool,
    onHint: entry.hints.on,
    async release() {
      if (isReleased) return;
      isReleased = true;
      entry.users--;
      if (entry.users > 0) return;
      entries.delete(key);
      await Promise.all([entry.hints.close(), entry.pool.end()]);
    },
  };
}

function openEntry(url: string, connections: number): Entry {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    keepAlive: true,
    // Sends independent statements of a transaction together, so that they share a round trip.
    pipeline: true,
    types: { getTypeParser },
  });
  // If a connection breaks while it is idle, the pool opens another one when it needs one.
  pool.on("error", () => undefined);
  // Without an error listener, a broken connection would end the process. The connection's statements report the error
  // anyway.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return { pool, hints: createHints(url), users: 0 };
}

/** Our `int` columns are safe integers. pg parses all other types as usual. */
const getTypeParser = ((oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.INT8
    ? Number
    : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser;

type Hints = { on: SharedPool["onHint"]; close(): Promise<void> };

/**
 * Listens for hints about changes. Some connections, such as those through a pooler, can't listen and never receive a
 * hint.
 */
function createHints(url: string): Hints {
  const listeners = new Map<string, Listeners<void>>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function listen(): Promise<void> {
    const opened = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs, keepAlive: true });
    client = opened;
    const again = () => {
      if (client !== opened) return;
      client = undefined;
      opened.end().catch(() => undefined);
      if (!isClosed) timer = setTimeout(() => void listen(), listenAgainMs).unref();
    };
    opened.on("error", again);
    opened.on("end", again);
    opened.on("notification", ({ payload }) => {
      listeners.get(payload ?? "")?.announce();
    });
    try {
      await opened.connect();
      await opened.query(`listen ${hintChannel}`);
    } catch {
      again();
    }
  }

  return {
    on(schema, listener) {
      const known = listeners.get(schema) ?? createListeners();
      listeners.set(schema, known);
      if (!client && !timer) void listen();
      return known.add(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const open = client;
      client = undefined;
      await open?.end().catch(() => undefined);
    },
  };
}
