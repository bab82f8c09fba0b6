/**
 * The pool, in the form that a page shows: pending and queued transactions by sender and nonce, and transactions that
 * were dropped, replaced or expired.
 */
import type { TxPool } from "@/server/chain/txpool/pool";
import type { Address } from "@/server/ethereum/types";
import type { ChainView } from "@/server/ports/chain";
import type { PoolRecord, StateStore } from "@/server/ports/store";

type With<Status extends PoolRecord["status"]> = PoolRecord & { status: Status };
export type WaitingRecord = With<"pending" | "queued">;
export type LeftRecord = With<"replaced" | "dropped" | "expired">;

export type PoolView = {
  senders: { address: Address; nextNonce: bigint; records: WaitingRecord[] }[];
  left: LeftRecord[];
};

/**
 * Returns at most `limit` pending or queued transactions, and at most `limit` that were dropped, replaced or expired.
 */
export async function readPool(
  { chain, pool, state }: { chain: Pick<ChainView, "head">; pool: TxPool; state: StateStore },
  limit: number,
): Promise<PoolView> {
  const waiting = pool
    .list()
    .slice(0, limit)
    .map(({ record }) => record)
    .filter(isWaiting);
  const { number } = chain.head();
  const senders = [...Map.groupBy(waiting, ({ sender }) => sender)].map(async ([address, records]) => ({
    address,
    nextNonce: (await state.findAccount(address, number))?.nonce ?? 0n,
    records: records.sort((a, b) => (a.nonce < b.nonce ? -1 : 1)),
  }));
  return { senders: await Promise.all(senders), left: pool.listDropped(limit).filter(hasLeft) };
}

const isWaiting = (record: PoolRecord): record is WaitingRecord =>
  record.status === "pending" || record.status === "queued";

const hasLeft = (record: PoolRecord): record is LeftRecord =>
  record.status === "replaced" || record.status === "dropped" || record.status === "expired";
