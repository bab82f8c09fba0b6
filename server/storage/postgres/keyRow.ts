/**
 * Stores the node's secret keys in one row of the database. The row is in its own schema, because all networks
 * share the keys.
 */

import type { KeyStore } from "@/server/storage/keyFile";
import { toName, withPool } from "@/server/storage/postgres/driver";

const schema = "tollscan";
const table = `${schema}.node_keys`;

/** Throws StoreUnavailableError. */
export function createKeyRow(url: string): KeyStore {
  return {
    name: `${toName(url, schema)}, table node_keys`,
    find: () =>
      withPool(url, 1, schema, async (pool) => {
        const known = await pool.query<{ found: boolean }>("select to_regclass($1) is not null as found", [table]);
        if (!known.rows[0]?.found) return undefined;
        const { rows } = await pool.query<{ keys: string }>(`select keys from ${table} where id = 1`);
        return rows[0]?.keys;
      }),
    insert: (text) =>
      withPool(url, 1, schema, async (pool) => {
        await pool.query(`create schema if not exists ${schema}`);
        await pool.query(`create table if not exists ${table} (id integer primary key, keys text not null)`);
        await pool.query(`insert into ${table} (id, keys) values (1, $1) on conflict do nothing`, [text]);
      }),
  };
}
