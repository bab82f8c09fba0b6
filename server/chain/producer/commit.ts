/**
 * Commits blocks. Each block is written in one storage transaction, with its receipts, state, explorer rows and pool
 * records. The head doesn't move before the store has accepted the block.
 */
import { type Head, moveHead } from "@/server/chain/head";
import { findHeldLease } from "@/server/chain/producer/buildRight";
import type { Producer, SealedBlock } from "@/server/chain/producer/state";
import type { Header } from "@/server/ethereum/types";
import type { BlockCommit, PoolRecord } from "@/server/ports/store";

/** The caller must hold the head's turn. Rejects with the store's error. */
export async function commit({ spec, head, project, right, onConsole }: Producer, sealed: SealedBlock): Promise<void> {
  const { block, receipts, internalTransfers, state, rejected } = sealed;
  const settlement = { mined: block.transactions, rejected, accounts: state.accounts };
  // The store rejects the block if another instance has taken the lease.
  const lease = right && findHeldLease(right);
  await head.write(async () => {
    const records = head.pool.toSettledRecords(settlement);
    await head.store.commit({
      chainId: spec.chainId,
      block,
      receipts,
      state,
      explorer: project(block, receipts, internalTransfers),
      pool: toPoolChange(head, records),
      ...(lease && { lease }),
    });
    moveHead(head, block.header, settlement, records);
  });
  for (const { hash, inputs } of sealed.consoleCalls ?? []) onConsole?.(inputs, hash);
  head.blocks.announce({ block, receipts });
}

/**
 * Chooses the pool records to write with a block. A shared store keeps the records of mined transactions; any other
 * store deletes them.
 */
function toPoolChange({ store }: Head, records: PoolRecord[]): BlockCommit["pool"] {
  if (store.isShared) return { put: records, delete: [] };
  const mined = records.filter(({ status }) => status === "mined");
  return { put: records.filter(({ status }) => status !== "mined"), delete: mined.map(({ hash }) => hash) };
}

/** For importers: calls `make` with the head and commits the block that `make` returns. */
export function appendBlock(producer: Producer, make: (head: Header) => Promise<SealedBlock>): Promise<void> {
  return producer.head.inTurn(async () => commit(producer, await make(producer.head.header)));
}
