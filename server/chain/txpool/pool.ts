/**
 * The transaction pool of one chain: what waits, in which order it may be included, and what became of what left it.
 */
import type { Address, Hash, Transaction } from "@/server/chain/types";
import type { PoolRecord } from "@/server/storage/port";

export type PoolEntry = { transaction: Transaction; record: PoolRecord };
/** queued means that an earlier nonce is missing; missingNonce is the first one. */
export type PoolStatus = PoolRecord & { missingNonce?: bigint };

export type PoolEvent = {
  added: Transaction[];
  removed: { hash: Hash; status: PoolRecord["status"]; reason?: string }[];
};

export type TxPool = {
  findStatus(hash: Hash): PoolStatus | undefined;
  listStatuses(sender: Address): PoolStatus[];
  findTransaction(hash: Hash): Transaction | undefined;
  /** Nonce after the sender's last consecutive waiting transaction; undefined where none waits. */
  nextNonce(sender: Address): bigint | undefined;
  counts(): { pending: number; queued: number };
  /** Everything that waits, pending first. */
  list(): PoolEntry[];
  onChange(listener: (event: PoolEvent) => void): () => void;
};
