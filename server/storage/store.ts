/**
 * The store over any SQL driver: the reads of each topic joined, and the commit of one block in one transaction.
 * Nothing is written unless the block's parent is the stored head.
 */
import { toBytes, toHex } from "@/server/chain/codec/bytes";
import type { Header } from "@/server/chain/types";
import { andThen, flow, type Steps, step } from "@/server/storage/awaitable";
import { StaleHeadError, StoreIdentityError } from "@/server/storage/errors";
import type { BlockCommit, ExplorerRows, Store } from "@/server/storage/port";
import { createBlockStore, toBlockWrites } from "@/server/storage/queries/blocks";
import { createExplorerStore } from "@/server/storage/queries/explorer";
import { createLogStore, toLogWrites } from "@/server/storage/queries/logs";
import { toTransactionWrites } from "@/server/storage/queries/mined";
import { createPaymentStore } from "@/server/storage/queries/payments";
import { createPoolStore, toPoolWrites } from "@/server/storage/queries/pool";
import { collectReadModelWrites, findReadModelEnd, toReadModelDeletes } from "@/server/storage/queries/readModel";
import { collectStateWrites, createStateStore } from "@/server/storage/queries/state";
import { createTokenStore } from "@/server/storage/queries/tokens";
import type { SqlDriver, SqlReader, SqlWriter } from "@/server/storage/sql";

export type Identity = { chainId: number; genesisHash: `0x${string}` };

type HeadRow = { number: number; hash: Uint8Array };
type IdentityRow = { chain_id: number | null; genesis_hash: Uint8Array | null };

/** The identity row of a database whose tables exist. */
export function findIdentity(sql: SqlReader) {
  return andThen(
    sql.get<IdentityRow>("select chain_id, genesis_hash from store where id = 1", []),
    (row): Identity | undefined =>
      row?.genesis_hash && row.chain_id !== null
        ? { chainId: row.chain_id, genesisHash: toHex(row.genesis_hash) }
        : undefined,
  );
}

/** A store on a database of the current format. Closing it closes the driver. */
export function createStore(sql: SqlDriver): Store {
  return {
    ...createStateStore(sql),
    ...createBlockStore(sql),
    ...createLogStore(sql),
    ...createExplorerStore(sql),
    ...createTokenStore(sql),
    findReadModelEnd: () => findReadModelEnd(sql),
    putReadModel: (block, rows) => sql.transaction(false, (tx) => flow(() => writeReadModel(tx, block, rows))),
    deleteReadModel: () => sql.transaction(true, (tx) => tx.write(toReadModelDeletes())),
    ...createPoolStore(sql),
    ...createPaymentStore(sql),
    findIdentity: () => findIdentity(sql),
    commit: (commit) => sql.transaction(true, (tx) => flow(() => writeBlock(tx, commit))),
    findSize: () => sql.findSize(),
    close: () => sql.close(),
  };
}

function* writeReadModel(tx: SqlWriter, block: number, rows: ExplorerRows): Steps<void> {
  yield* step(tx.write(yield* collectReadModelWrites(tx, block, rows)));
}

function* writeBlock(tx: SqlWriter, commit: BlockCommit & { chainId: number }): Steps<void> {
  const { header } = commit.block;
  const head = yield* step(tx.get<HeadRow>("select number, hash from block order by number desc limit 1", []));
  const identity = yield* step(findIdentity(tx));
  assertNext(header, head);
  if (identity && identity.chainId !== commit.chainId) {
    throw new StoreIdentityError(
      `A block of chain ${commit.chainId} cannot be added to the database of chain ${identity.chainId}.`,
    );
  }
  const state = yield* collectStateWrites(tx, header.number, commit.state);
  const explorer = yield* collectReadModelWrites(tx, header.number, commit.explorer);
  yield* step(
    tx.write([
      {
        sql: "update store set chain_id = ?, genesis_hash = ? where id = 1",
        rows: identity ? [] : [[commit.chainId, toBytes(header.hash)]],
      },
      ...toBlockWrites(commit.block),
      ...toTransactionWrites(commit.block, commit.receipts),
      ...toLogWrites(header.number, commit.receipts),
      ...state,
      ...explorer,
      ...toPoolWrites(commit.pool),
    ]),
  );
}

function assertNext(header: Header, head: HeadRow | undefined): void {
  if (!head) {
    if (header.number === 0) return;
    throw new StaleHeadError(`Block ${header.number} cannot be the first one of an empty database.`);
  }
  if (header.number === head.number + 1 && header.parentHash === toHex(head.hash)) return;
  throw new StaleHeadError(
    `Block ${header.number} (${header.hash}) does not follow the stored head ${head.number} (${toHex(head.hash)}).`,
  );
}
