/**
 * Stores how many requests each client has left, shared by all instances. A client's bucket refills evenly up to its
 * capacity. Each request is taken from the bucket in a single statement, so two instances can't take the same one.
 */
import type { RateStore } from "@/server/ports/store";
import type { SqlDriver } from "@/server/storage/sql";

// If the clock was set back, the stored time is in the future. The absolute value keeps the client from having to wait
// until that time.
const age = "abs(now_ms() - rate_bucket.filled_at)";
// Units are thousandths of a request, so a rate in requests per second equals the rate in units per millisecond.
const filled = `case when rate_bucket.left_milli + ${age} * ? < ?
  then rate_bucket.left_milli + ${age} * ? else ? end`;
const take = `insert into rate_bucket (client, left_milli, filled_at) values (?, ?, now_ms())
  on conflict (client) do update set left_milli = ${filled} - ?, filled_at = now_ms()
  where ${filled} >= ? returning left_milli`;
const byClient = `select left_milli, ${age} as age from rate_bucket where client = ?`;
const forget = "delete from rate_bucket where filled_at <= now_ms() - ? and client like ?";

type BucketRow = { left_milli: number; age: number };

export function createRateStore(sql: SqlDriver): RateStore {
  return {
    takeRequest: ({ client, perSecond, burst, cost = 1 }) => {
      const capacity = burst * 1000;
      const costMilli = cost * 1000;
      const fill = [perSecond, capacity, perSecond, capacity];
      return sql.transaction(false, async (tx) => {
        if (await tx.get(take, [client, capacity - costMilli, ...fill, costMilli, ...fill, costMilli])) return 0;
        const row = await tx.get<BucketRow>(byClient, [client]);
        const missing = costMilli - ((row?.left_milli ?? 0) + (row?.age ?? 0) * perSecond);
        return Math.max(1, Math.ceil(missing / 1000 / perSecond));
      });
    },
    async findBucket(client) {
      const row = await sql.get<BucketRow>(byClient, [client]);
      return row && { left: row.left_milli / 1000, ageMs: row.age };
    },
    deleteFullBuckets: (scope, olderThanMs) =>
      sql.transaction(false, (tx) => tx.write([{ sql: forget, rows: [[olderThanMs, `${scope} %`]] }])),
  };
}
