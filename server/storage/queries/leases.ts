/**
 * Leases: exclusive rights that expire according to the database's clock. Each new holder gets a higher fence number,
 * so that writes by earlier holders can be detected.
 */
import type { LeaseStore } from "@/server/ports/store";
import type { SqlDriver } from "@/server/storage/sql";

const claim = `insert into lease (name, holder, fence, expires_at) values (?, ?, 1, now_ms() + ?)
  on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at,
    fence = case when lease.holder = excluded.holder then lease.fence else lease.fence + 1 end
  where lease.holder = excluded.holder or lease.expires_at <= now_ms() returning fence`;
const release = "update lease set expires_at = 0 where name = ? and holder = ? and fence = ?";
const byName = "select holder, fence, expires_at - now_ms() as remaining from lease where name = ?";

type LeaseRow = { holder: string; fence: number; remaining: number };

export function createLeaseStore(sql: SqlDriver): LeaseStore {
  return {
    claimLease: ({ name, holder, lengthMs }) =>
      sql.transaction(false, async (tx) => (await tx.get<{ fence: number }>(claim, [name, holder, lengthMs]))?.fence),
    async releaseLease({ name, holder, fence }) {
      await sql.transaction(false, (tx) => tx.change(release, [name, holder, fence]));
    },
    async findLease(name) {
      const row = await sql.get<LeaseRow>(byName, [name]);
      return row && { holder: row.holder, fence: row.fence, remainingMs: Math.max(0, row.remaining) };
    },
  };
}
