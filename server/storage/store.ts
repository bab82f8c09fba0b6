/**
 * Implements the store on top of any SQL driver. Commits each block in one transaction, and only if the block's parent
 * is the stored head, even if other instances write.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { findErrorCode } from "@/server/ethereum/errors";
import type { Header } from "@/server/ethereum/types";
import type { BlockCommit, ExplorerRows, Store } from "@/server/ports/store";
import { LostLeaseError, StaleHeadError, StoreIdentityError } from "@/server/storage/errors";
import { createNewestState } from "@/server/storage/newestState";
import { createAllotmentStore } from "@/server/storage/queries/allotments";
import { createBlockStore, toBlockWrites } from "@/server/storage/queries/blocks";
import { createExplorerStore } from "@/server/storage/queries/explorer";
import { createLeaseStore } from "@/server/storage/queries/leases";
import { createLogStore, toLogWrites } from "@/server/storage/queries/logs";
import { toTransactionWrites } from "@/server/storage/queries/mined";
import { createNftStore } from "@/server/storage/queries/nfts";
import { createPaymentStore } from "@/server/storage/queries/payments";
import { collectPoolWrites, createPoolStore } from "@/server/storage/queries/pool";
import { createPrefixStore } from "@/server/storage/queries/prefixes";
import { createRateStore } from "@/server/storage/queries/rateBuckets";
import { collectReadModelWrites, findReadModelEnd, toReadModelDeletes } from "@/server/storage/queries/readModel";
import { createReservationStore } from "@/server/storage/queries/reservations";
import { createRewindStore } from "@/server/storage/queries/rewind";
import { collectStateWrites, createStateStore } from "@/server/storage/queries/state";
import { createStateReader, createVersions } from "@/server/storage/queries/stateReader";
import { createChainVersionStore } from "@/server/storage/queries/stateReads";
import { createTokenStore } from "@/server/storage/queries/tokens";
import { findVersions, touchTopic } from "@/server/storage/queries/topics";
import type { Row } from "@/server/storage/schema";
import type { SqlDriver, SqlReader, SqlWriter } from "@/server/storage/sql";

export type Identity = { chainId: number; genesisHash: `0x${string}` };

const insertHead = "insert into head (id, number, hash) values (1, ?, ?) on conflict do nothing";
const updateHead = "update head set number = ?, hash = ? where id = 1 and number = ? and hash = ?";

type HeadRow = Pick<Row<"head">, "number" | "hash">;
type IdentityRow = Pick<Row<"store">, "chain_id" | "genesis_hash">;

/**
 * Returns the chain that a database belongs to, or undefined if none is set. The database must already have its
 * tables.
 */
export async function findIdentity(sql: SqlReader): Promise<Identity | undefined> {
  const row = await sql.get<IdentityRow>("select chain_id, genesis_hash from store where id = 1", []);
  if (!row?.genesis_hash || row.chain_id === null) return undefined;
  return { chainId: row.chain_id, genesisHash: toHex(row.genesis_hash) };
}

/** Creates a store on a database that has the current format. Closing the store closes the driver. */
export function createStore(driver: SqlDriver): Store {
  const { findFullAt, ...sql } = watchDisk(driver);
  const newest = sql.sync && sql.isOnlyWriter ? createNewestState(createVersions(sql.sync)) : undefined;
  const rewinds = createRewindStore(sql);
  return {
    ...createStateStore(sql),
    ...(newest && {
      findAccount: async (address, block) => newest.findAccount(address, block),
      findSlot: async (address, slot, block) => newest.findSlot(address, slot, block),
    }),
    ...createChainVersionStore(sql),
    ...createBlockStore(sql),
    ...createLogStore(sql),
    ...createExplorerStore(sql),
    ...createTokenStore(sql),
    ...createPrefixStore(sql),
    ...createNftStore(sql),
    findReadModelEnd: () => findReadModelEnd(sql),
    putReadModel: (block, rows) => sql.transaction(false, (tx) => writeReadModel(tx, block, rows)),
    deleteReadModel: () => sql.transaction(true, (tx) => tx.write(toReadModelDeletes())),
    ...createPoolStore(sql),
    ...createPaymentStore(sql),
    ...createLeaseStore(sql),
    ...createAllotmentStore(sql),
    ...createReservationStore(sql),
    ...createRateStore(sql),
    ...rewinds,
    async editState(edit) {
      try {
        await rewinds.editState(edit);
        newest?.add(edit.head.number, edit.state);
      } catch (error) {
        newest?.clear();
        throw error;
      }
    },
    rewind: (to) => rewinds.rewind(to).finally(() => newest?.clear()),
    ...(sql.sync && { stateReader: { ...createStateReader(sql.sync, newest), isCached: newest !== undefined } }),
    isShared: sql.isShared,
    findVersions: () => findVersions(sql),
    onHint: sql.onHint,
    findIdentity: () => findIdentity(sql),
    async commit(commit) {
      await sql.transaction(true, (tx) => writeBlock(tx, commit));
      newest?.add(commit.block.header.number, commit.state);
    },
    findSize: () => sql.findSize(),
    findFreeSpace: () => sql.findFreeSpace(),
    findFullAt,
    close: () => sql.close(),
  };
}

function watchDisk(driver: SqlDriver): SqlDriver & Pick<Store, "findFullAt"> {
  let fullAt: number | undefined;
  return {
    ...driver,
    findFullAt: () => fullAt,
    async transaction(isDurable, work) {
      try {
        const result = await driver.transaction(isDurable, work);
        // Small writes may succeed even though the disk is full, so only a durable write shows that there is space
        // again.
        if (isDurable) fullAt = undefined;
        return result;
      } catch (error) {
        if (findErrorCode(error) === "STORE_FULL") fullAt = Date.now();
        throw error;
      }
    },
  };
}

async function writeReadModel(tx: SqlWriter, block: number, rows: ExplorerRows): Promise<void> {
  await tx.write(await collectReadModelWrites(tx, block, rows));
}

async function writeBlock(tx: SqlWriter, commit: BlockCommit & { chainId: number }): Promise<void> {
  const { header } = commit.block;
  await touchTopic(tx, "chain");
  await moveHead(tx, header);
  const identity = await findIdentity(tx);
  if (identity && identity.chainId !== commit.chainId) {
    throw new StoreIdentityError(
      `A block of chain ${commit.chainId} cannot be added to the database of chain ${identity.chainId}.`,
    );
  }
  if (commit.lease) await assertLease(tx, commit.lease);
  const state = await collectStateWrites(tx, header.number, commit.state);
  const explorer = await collectReadModelWrites(tx, header.number, commit.explorer);
  const pool = await collectPoolWrites(tx, commit.pool);
  await tx.write([
    {
      sql: "update store set chain_id = ?, genesis_hash = ? where id = 1",
      rows: identity ? [] : [[commit.chainId, toBytes(header.hash)]],
    },
    ...toBlockWrites(commit.block),
    ...toTransactionWrites(commit.block, commit.receipts),
    ...toLogWrites(header.number, commit.receipts),
    ...state,
    ...explorer,
    ...pool,
  ]);
}

/**
 * Makes the block the head if its parent is the head. This takes a single statement, so only one of two concurrent
 * builders succeeds.
 */
async function moveHead(tx: SqlWriter, header: Header): Promise<void> {
  const hash = toBytes(header.hash);
  const moved =
    header.number === 0
      ? await tx.change(insertHead, [header.number, hash])
      : await tx.change(updateHead, [header.number, hash, header.number - 1, toBytes(header.parentHash)]);
  if (moved === 1) return;
  const head = await tx.get<HeadRow>("select number, hash from head where id = 1", []);
  throw new StaleHeadError(
    head
      ? `Block ${header.number} (${header.hash}) does not follow the stored head ${head.number} (${toHex(head.hash)}).`
      : `Block ${header.number} cannot be the first block of an empty database.`,
  );
}

/** The lease's row stays locked until the block is committed, so that no other instance can take the lease. */
async function assertLease(tx: SqlWriter, { name, fence }: { name: string; fence: number }): Promise<void> {
  const held = await tx.change("update lease set fence = ? where name = ? and fence = ?", [fence, name, fence]);
  if (held === 0) throw new LostLeaseError(`Lease ${name} with fence ${fence} now belongs to another holder.`);
}
