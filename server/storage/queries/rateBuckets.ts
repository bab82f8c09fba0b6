/**
 * The requests each client has left, shared by all instances. A bucket refills evenly up to its capacity, and one
 * statement takes a request, so two instances cannot both take the last one.
 */
import type { RateStore } from "@/server/ports/store";
import type { SqlDriver } from "@/server/storage/sql";

// In thousandths of a request, a rate per second is the same number of units per millisecond.
const filled = `case when rate_bucket.left_milli + (now_ms() - rate_bucket.filled_at) * ? < ?
  then rate_bucket.left_milli + (now_ms() - rate_bucket.filled_at) * ? else ? end`;
const take = `insert into rate_bucket (client, left_milli, filled_at) values (?, ?, now_ms())
  on conflict (client) do update set left_milli = ${filled} - 1000, filled_at = now_ms()
  where ${filled} >= 1000 returning left_milli`;
const left = "select left_milli, filled_at - now_ms() as age from rate_bucket where client = ?";
const forget = "delete from rate_bucket where filled_at <= now_ms() - ?";

export function createRateStore(sql: SqlDriver): RateStore {
  return {
    takeRequest: ({ client, perSecond, burst }) => {
      const capacity = burst * 1000;
      const fill = [perSecond, capacity, perSecond, capacity];
      return sql.transaction(false, async (tx) => {
        if (await tx.get(take, [client, capacity - 1000, ...fill, ...fill])) return 0;
        const row = await tx.get<{ left_milli: number; age: number }>(left, [client]);
        const missing = 1000 - ((row?.left_milli ?? 0) - (row?.age ?? 0) * perSecond);
        return Math.max(1, Math.ceil(missing / 1000 / perSecond));
      });
    },
    deleteFullBuckets: (olderThanMs) =>
      sql.transaction(false, (tx) => tx.write([{ sql: forget, rows: [[olderThanMs]] }])),
  };
}
