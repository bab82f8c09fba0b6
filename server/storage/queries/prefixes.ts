/**
 * Finds hashes and addresses by their first digits. Each read is a limited range of an index. An address can have many
 * rows, so searches for addresses jump from one address to the next.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { Hex } from "@/server/ethereum/types";
import type { PrefixKind, PrefixStore } from "@/server/ports/store";
import { toBlockNumber } from "@/server/storage/columns";
import type { SqlReader } from "@/server/storage/sql";

type HashRow = { id: Uint8Array; place: number };

const toHashQuery = (table: string, id: string, place: string) =>
  `select ${id} as id, ${place} as place from ${table} where ${id} >= ? and ${id} <= ? order by ${id} limit ?`;

const queries = {
  block: toHashQuery("block", "hash", "number"),
  transaction: toHashQuery("transactions", "hash", "position"),
  payment: toHashQuery("payment", "id", "0"),
};
/** Accounts with state, and addresses that took part in a transaction, such as holders of a token. */
const addressTables = ["account", "address_transaction"] as const;

const digitsOf = { block: 64, transaction: 64, payment: 64, address: 40 } satisfies Record<PrefixKind, number>;

export function createPrefixStore(sql: SqlReader): PrefixStore {
  async function listAddresses(
    table: (typeof addressTables)[number],
    range: [low: Uint8Array, high: Uint8Array],
    limit: number,
  ) {
    const addresses: Hex[] = [];
    const [low, high] = range;
    let from = low;
    for (let compare = ">="; addresses.length < limit; compare = ">") {
      const next = `select address from ${table} where address ${compare} ? and address <= ? order by address limit 1`;
      const row = await sql.get<{ address: Uint8Array }>(next, [from, high]);
      if (!row) break;
      addresses.push(toHex(row.address));
      from = row.address;
    }
    return addresses;
  }
  return {
    async listByPrefix(kind, digits, limit) {
      const low = toBytes(`0x${digits.padEnd(digitsOf[kind], "0")}`);
      const high = toBytes(`0x${digits.padEnd(digitsOf[kind], "f")}`);
      if (kind === "address") {
        const found = await Promise.all(addressTables.map((table) => listAddresses(table, [low, high], limit)));
        const addresses = [...new Set(found.flat())].sort();
        return addresses.slice(0, limit).map((id) => ({ id }));
      }
      const rows = await sql.all<HashRow>(queries[kind], [low, high, limit]);
      return rows.map(({ id, place }) => ({
        id: toHex(id),
        ...(kind === "block" && { block: place }),
        ...(kind === "transaction" && { block: toBlockNumber(place) }),
      }));
    },
  };
}
