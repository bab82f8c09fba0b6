/**
 * What another instance's record does to a pool. Records are the truth about what left; of two waiting transactions of
 * one sender and nonce, which two instances took at the same moment, every instance keeps the same one.
 */

import type { SenderAccount } from "@/server/chain/txpool/validate";
import { feeCap } from "@/server/ethereum/fees";
import type { Transaction } from "@/server/ethereum/types";
import type { PoolRecord } from "@/server/ports/store";

/** A record as another instance wrote it; of one that waits the transaction and its sender's account at the head. */
export type PoolChange = { record: PoolRecord; waiting?: { transaction: Transaction; account: SenderAccount } };

/** Whether the first of two that cannot both be included is the one to keep. */
export function isPreferred(one: Transaction, other: Transaction): boolean {
  const [cap, otherCap] = [feeCap(one), feeCap(other)];
  return cap === otherCap ? one.hash < other.hash : cap > otherCap;
}
