/**
 * Applies another instance's record to a pool. Records decide what has left. If two instances accepted transactions
 * with the same sender and nonce at the same time, every instance keeps the same one.
 */

import type { SenderAccount } from "@/server/chain/txpool/validate";
import { feeCap } from "@/server/ethereum/fees";
import type { Transaction } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

/** A record from another instance; if it waits, with the transaction and its sender's account at the head. */
export type PoolChange = { record: PoolRecord; waiting?: { transaction: Transaction; account: SenderAccount } };

/** Whether to keep the first of two transactions that cannot both be included. */
export function isPreferred(one: Transaction, other: Transaction): boolean {
  const [cap, otherCap] = [feeCap(one), feeCap(other)];
  return cap === otherCap ? one.hash < other.hash : cap > otherCap;
}
