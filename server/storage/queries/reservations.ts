/**
 * Stores short-lived reservations of payers' balances, shared by all instances. A purse is one payer's balance of one
 * asset. The reservations in a purse never add up to more than the balance that the last caller read.
 */
import { toBigInt, toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { ReservationStore } from "@/server/ports/store";
import { toBig } from "@/server/storage/columns";
import type { SqlDriver } from "@/server/storage/sql";

// Callers that reserve from the same purse lock this row, so they take turns. The row reserves nothing and never
// expires while the purse is in use.
const put = `insert into reservation (purse, id, units, expires_at) values (?, ?, ?, now_ms() + ?)
  on conflict (purse, id) do update set units = excluded.units, expires_at = excluded.expires_at`;
const others = "select units from reservation where purse = ? and id <> ? and expires_at > now_ms()";
const holders = `select id from reservation where purse = ? and id <> ? and expires_at > now_ms()
  order by id limit ?`;
const expired = "delete from reservation where expires_at <= now_ms()";
const remove = "delete from reservation where purse = ? and id = ?";
const noId = new Uint8Array(0);
const nothing = new Uint8Array(32);

export function createReservationStore(sql: SqlDriver): ReservationStore {
  return {
    holdUnits: ({ purse, id, units, balanceUnits, lengthMs }) =>
      sql.transaction(false, async (tx) => {
        await tx.write([{ sql: put, rows: [[purse, noId, nothing, lengthMs]] }]);
        const held = await tx.all<{ units: Uint8Array }>(others, [purse, toBytes(id)]);
        const sum = held.reduce((total, row) => total + toBigInt(row.units), 0n);
        if (sum + units > balanceUnits) return false;
        await tx.write([{ sql: put, rows: [[purse, toBytes(id), toBig(units), lengthMs]] }]);
        return true;
      }),
    async listHolds({ purse, limit }) {
      return (await sql.all<{ id: Uint8Array }>(holders, [purse, noId, limit])).map(({ id }) => toHex(id));
    },
    releaseUnits: ({ purse, id }) =>
      sql.transaction(false, (tx) => tx.write([{ sql: remove, rows: [[purse, toBytes(id)]] }])),
    deleteExpiredHolds: () => sql.transaction(false, (tx) => tx.write([{ sql: expired, rows: [[]] }])),
  };
}
