/**
 * The catalog of paid resources. If a payee has too many entries, a new entry replaces the payee's oldest one. If the
 * catalog is full, the payer that has the most entries loses its oldest one, so nobody can push out other sellers.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { PaidResource, PaidResourceFilter, PaymentStore } from "@/server/ports/store";
import { listColumns, type Row, toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlValue, SqlWriter } from "@/server/storage/sql";

type PaidResourceStore = Pick<
  PaymentStore,
  "putPaidResource" | "findPaidResource" | "countPaidResources" | "listPaidResources"
>;

const byKey = `select ${listColumns("paid_resource")} from paid_resource where url = ? and payee = ?`;
const deleteOldestOfPayee = `delete from paid_resource where payee = ? and url in
  (select url from paid_resource where payee = ? order by updated_at desc, url desc limit 1 offset ?)`;
const mostEntries = `select payer from paid_resource group by payer order by count(*) desc, min(updated_at) limit 1`;
const deleteOldestOfPayer = `delete from paid_resource where (url, payee) in
  (select url, payee from paid_resource where payer = ? order by updated_at, url, payee limit 1)`;

export function createPaidResourceStore(sql: SqlDriver): PaidResourceStore {
  return {
    putPaidResource: (resource, limits) => sql.transaction(false, (tx) => put(tx, resource, limits)),
    async findPaidResource({ url, payee }) {
      const row = await sql.get<Row<"paid_resource">>(byKey, [url, toBytes(payee)]);
      return row && fromRow(row);
    },
    async countPaidResources(filter) {
      const { where, params } = toCondition(filter);
      const row = await sql.get<{ entries: number }>(`select count(*) as entries from paid_resource${where}`, params);
      return Number(row?.entries ?? 0);
    },
    async listPaidResources({ filter, limit }) {
      const { where, params } = toCondition(filter);
      const rows = await sql.all<Pick<Row<"paid_resource">, "url" | "payee" | "updated_at">>(
        `select url, payee, updated_at from paid_resource${where} order by updated_at desc, url desc, payee desc limit ?`,
        [...params, limit],
      );
      return rows.map(({ url, payee, updated_at }) => ({ url, payee: toHex(payee), updatedAtMs: updated_at }));
    },
  };
}

async function put(
  tx: SqlWriter,
  resource: PaidResource,
  { max, maxPerPayee }: { max: number; maxPerPayee: number },
): Promise<void> {
  const payee = toBytes(resource.payee);
  await tx.write([
    { sql: toInsert("paid_resource", "replace"), rows: [toRow(resource)] },
    { sql: deleteOldestOfPayee, rows: [[payee, payee, maxPerPayee]] },
  ]);
  const row = await tx.get<{ entries: number }>("select count(*) as entries from paid_resource", []);
  if (Number(row?.entries) <= max) return;
  const most = await tx.get<{ payer: Uint8Array }>(mostEntries, []);
  if (most) await tx.change(deleteOldestOfPayer, [most.payer]);
}

function toCondition({ type, payee, scheme, words = [] }: PaidResourceFilter): { where: string; params: SqlValue[] } {
  const conditions: [text: string, value: SqlValue][] = [
    ...(payee === undefined ? [] : [["payee = ?", toBytes(payee)] as [string, SqlValue]]),
    ...(type === undefined ? [] : [["type = ?", type] as [string, SqlValue]]),
    ...(scheme === undefined ? [] : [toLike("schemes", `,${scheme},`)]),
    ...words.map((word) => toLike("words", word)),
  ];
  const where = conditions.length > 0 ? ` where ${conditions.map(([text]) => text).join(" and ")}` : "";
  return { where, params: conditions.map(([, value]) => value) };
}

/** Returns an SQL condition that is true if the column contains this text. */
function toLike(column: "schemes" | "words", text: string): [string, SqlValue] {
  return [`${column} like ? escape '!'`, `%${text.replace(/[!%_]/g, "!$&")}%`];
}

function fromRow({ updated_at, schemes, payee, payer, type, ...row }: Row<"paid_resource">): PaidResource {
  return {
    ...row,
    type: type as PaidResource["type"],
    payee: toHex(payee),
    payer: toHex(payer),
    updatedAtMs: updated_at,
    schemes: schemes.split(",").slice(1, -1),
  };
}

function toRow({ url, payee, payer, updatedAtMs, type, schemes, words, item }: PaidResource): SqlValue[] {
  return [url, toBytes(payee), toBytes(payer), updatedAtMs, type, `,${schemes.join(",")},`, words, item];
}
