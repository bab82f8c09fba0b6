/**
 * Stores recorded exchanges. If there are too many, the client that has the most records loses its oldest one, so
 * nobody can push out other clients' records.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { ExchangeRecord, ExchangeStore } from "@/server/ports/store";
import { optionalBytes, present } from "@/server/storage/columns";
import { listColumns, type Row, toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlWriter } from "@/server/storage/sql";

const select = `select ${listColumns("exchange")} from exchange`;
const most = "select client from exchange group by client order by count(*) desc, min(created_at) limit 1";
const deleteOldest =
  "delete from exchange where id in (select id from exchange where client = ? order by created_at, id limit 1)";

export function createExchangeStore(sql: SqlDriver): ExchangeStore {
  return {
    putExchange: (record, max) => sql.transaction(false, (tx) => put(tx, record, max)),
    async findExchange(id) {
      const row = await sql.get<Row<"exchange">>(`${select} where id = ?`, [id]);
      return row && fromRow(row);
    },
    async findExchangeOfPayment(payment) {
      const newest = `${select} where payment = ? order by created_at desc limit 1`;
      const row = await sql.get<Row<"exchange">>(newest, [toBytes(payment)]);
      return row && fromRow(row);
    },
  };
}

async function put(
  tx: SqlWriter,
  { id, payment, client, createdAtMs, flow }: ExchangeRecord,
  max: number,
): Promise<void> {
  await tx.write([
    { sql: toInsert("exchange", "fail"), rows: [[id, optionalBytes(payment), client, createdAtMs, flow]] },
  ]);
  const row = await tx.get<{ records: number }>("select count(*) as records from exchange", []);
  // Concurrent inserts may exceed the limit. The next insert deletes the excess.
  for (let excess = Number(row?.records) - max; excess > 0; excess--) {
    const client = await tx.get<{ client: string }>(most, []);
    if (client) await tx.change(deleteOldest, [client.client]);
  }
}

function fromRow({ created_at, payment, ...row }: Row<"exchange">): ExchangeRecord {
  return { ...row, createdAtMs: created_at, ...present("payment", payment, toHex) };
}
