/**
 * Stores state edits and snapshots, and rewinds the chain. Edits are stored with the rows they replaced, so that they
 * can be undone from last to first. A rewind deletes blocks and rebuilds derived tables from the remaining blocks.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { RewindStore, Snapshot } from "@/server/ports/store";
import { toPosition } from "@/server/storage/columns";
import { StaleHeadError } from "@/server/storage/errors";
import { rebuildNftHoldings } from "@/server/storage/queries/nfts";
import { collectAccounts, collectStateWrites } from "@/server/storage/queries/state";
import { collectTokenRebuild } from "@/server/storage/queries/tokenRebuild";
import { touchTopic } from "@/server/storage/queries/topics";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlValue, SqlWriter } from "@/server/storage/sql";

const head = "select number, hash from head where id = 1";
const lastEdit = "select sequence from state_edit order by sequence desc limit 1";
const lastEditOf = "select sequence from state_edit where block <= ? order by sequence desc limit 1";
const accountOf = "select nonce, balance, code_hash from account where address = ? and block = ?";
const slotOf = "select value from storage where address = ? and slot = ? and block = ?";
const editsSince = "select sequence, block from state_edit where sequence > ? order by sequence desc";
const editedAccounts = "select address, present, nonce, balance, code_hash from state_edit_account where sequence = ?";
const editedSlots = "select address, slot, value from state_edit_slot where sequence = ?";
// Newest first: a newer snapshot never has a lower block number.
const snapshots =
  "select id, block, edit, clock_offset from snapshot where block >= 0 order by block desc, id desc limit ?";
const lastSnapshot = "select id from snapshot order by id desc limit 1";
const lastGone = "select id from snapshot where block = -1 order by id desc limit 1";
const settled = `select distinct p.transaction_hash as hash from payment p
  join transactions t on t.hash = p.transaction_hash where t.position >= ?`;

type HeadRow = Pick<Row<"head">, "number" | "hash">;
type EditedAccountRow = Omit<Row<"state_edit_account">, "sequence">;
type EditedSlotRow = Omit<Row<"state_edit_slot">, "sequence">;

export function createRewindStore(sql: SqlDriver): RewindStore {
  return {
    listAccounts: (block, page) => collectAccounts(sql, block, page),
    editState: (edit) => sql.transaction(true, (tx) => writeEdit(tx, edit)),
    addSnapshot: (clockOffset) => sql.transaction(true, (tx) => writeSnapshot(tx, clockOffset)),
    async findSnapshot(id) {
      const byId = "select id, block, edit, clock_offset from snapshot where id = ? and block >= 0";
      const row = await sql.get<Row<"snapshot">>(byId, [id]);
      return row && fromSnapshotRow(row);
    },
    async listSnapshots(limit) {
      return (await sql.all<Row<"snapshot">>(snapshots, [limit])).map(fromSnapshotRow);
    },
    async findHistory() {
      const row = await sql.get<{ id: number }>(lastGone, []);
      return row ? row.id + 1 : 0;
    },
    rewind: (to) => sql.transaction(true, (tx) => writeRewind(tx, to)),
  };
}

function fromSnapshotRow({ id, block, edit, clock_offset }: Row<"snapshot">): Snapshot {
  return { id, block, edit, clockOffset: clock_offset };
}

async function getHead(tx: SqlWriter): Promise<HeadRow> {
  const row = await tx.get<HeadRow>(head, []);
  if (!row) throw new StaleHeadError("The database is empty, so it has no head block.");
  return row;
}

async function getLastEdit(tx: SqlWriter): Promise<number> {
  return (await tx.get<{ sequence: number }>(lastEdit, []))?.sequence ?? 0;
}

async function writeEdit(tx: SqlWriter, edit: Parameters<RewindStore["editState"]>[0]): Promise<void> {
  await touchTopic(tx, "chain");
  const stored = await getHead(tx);
  const block = edit.head.number;
  if (stored.number !== block || toHex(stored.hash) !== edit.head.hash) {
    throw new StaleHeadError(
      `The stored head is block ${stored.number} (${toHex(stored.hash)}), not block ${block} (${edit.head.hash}).`,
    );
  }
  const sequence = (await getLastEdit(tx)) + 1;
  const accounts: SqlValue[][] = [];
  for (const { address } of edit.state.accounts) {
    const key = toBytes(address);
    const row = await tx.get<Pick<Row<"account">, "nonce" | "balance" | "code_hash">>(accountOf, [key, block]);
    accounts.push([sequence, key, row ? 1 : 0, row?.nonce ?? null, row?.balance ?? null, row?.code_hash ?? null]);
  }
  const slots: SqlValue[][] = [];
  for (const change of edit.state.storage) {
    const key = [toBytes(change.address), toBytes(change.slot)] as const;
    const row = await tx.get<{ value: Uint8Array }>(slotOf, [...key, block]);
    slots.push([sequence, ...key, row?.value ?? null]);
  }
  await tx.write([
    { sql: toInsert("state_edit", "fail"), rows: [[sequence, block, toBytes(edit.stateRoot)]] },
    { sql: toInsert("state_edit_account", "fail"), rows: accounts },
    { sql: toInsert("state_edit_slot", "fail"), rows: slots },
    ...(await collectStateWrites(tx, block, edit.state)),
  ]);
}

async function writeSnapshot(tx: SqlWriter, clockOffset: number): Promise<Snapshot> {
  await touchTopic(tx, "chain");
  const { number } = await getHead(tx);
  const edit = await getLastEdit(tx);
  const id = await nextSnapshotId(tx);
  await tx.write([{ sql: toInsert("snapshot", "fail"), rows: [[id, number, edit, clockOffset]] }]);
  return { id, block: number, edit, clockOffset };
}

async function nextSnapshotId(tx: SqlWriter): Promise<number> {
  return ((await tx.get<{ id: number }>(lastSnapshot, []))?.id ?? -1) + 1;
}

async function writeRewind(
  tx: SqlWriter,
  to: Parameters<RewindStore["rewind"]>[0],
): Promise<Awaited<ReturnType<RewindStore["rewind"]>>> {
  await touchTopic(tx, "chain");
  const first = to.block + 1;
  const position = toPosition(first, 0);
  const target = await tx.get<{ hash: Uint8Array }>("select hash from block where number = ?", [to.block]);
  if (!target) throw new StaleHeadError(`Cannot rewind to block ${to.block}: it does not exist.`);
  const gone = await tx.all<{ hash: Uint8Array }>(settled, [position]);
  const edit = to.edit ?? (await tx.get<{ sequence: number }>(lastEditOf, [to.block]))?.sequence ?? 0;
  await undoEdits(tx, { block: to.block, edit });
  const tokens = await tx.all<{ token: Uint8Array }>("select distinct token from token_transfer where position >= ?", [
    position,
  ]);
  const nfts = await tx.all<{ token: Uint8Array }>("select distinct token from nft_transfer where position >= ?", [
    position,
  ]);
  await tx.write([
    { sql: "update head set number = ?, hash = ? where id = 1", rows: [[to.block, target.hash]] },
    ...["account", "storage", "log_term"].map((table) => ({
      sql: `delete from ${table} where block >= ?`,
      rows: [[first]],
    })),
    ...[
      ...["transactions", "address_transaction", "transaction_term"],
      ...["token_transfer", "internal_transfer", "nft_transfer"],
    ].map((table) => ({
      sql: `delete from ${table} where position >= ?`,
      rows: [[position]],
    })),
    ...["block", "block_figures"].map((table) => ({ sql: `delete from ${table} where number >= ?`, rows: [[first]] })),
    { sql: "update read_model set next_block = ? where next_block > ?", rows: [[first, first]] },
    // IDs are never reused: a deleted snapshot remains as a row without a block.
    {
      sql: "update snapshot set block = -1 where block >= 0 and (block > ? or edit > ? or id >= ?)",
      rows: [[to.block, edit, to.snapshots ?? Number.MAX_SAFE_INTEGER]],
    },
    // Adds one more deleted snapshot, so that the chain version changes even if the rewind deleted none.
    { sql: toInsert("snapshot", "fail"), rows: [[await nextSnapshotId(tx), -1, 0, 0]] },
    // Clears the pool and the reservations. Also clears allotted nonces, because their transactions may have been
    // deleted.
    { sql: "delete from pool", rows: [[]] },
    { sql: "delete from allotment", rows: [[]] },
    { sql: "delete from reservation", rows: [[]] },
  ]);
  await collectTokenRebuild(
    tx,
    tokens.map(({ token }) => toHex(token)),
    to.holdings,
  );
  await rebuildNftHoldings(tx, nfts);
  return { settlements: gone.map(({ hash }) => toHex(hash)) };
}

/** Restores the rows that edits replaced, except in blocks that the rewind deletes anyway. */
async function undoEdits(tx: SqlWriter, { block, edit }: { block: number; edit: number }): Promise<void> {
  const edits = await tx.all<{ sequence: number; block: number }>(editsSince, [edit]);
  for (const { sequence, block: at } of edits) {
    if (at > block) continue;
    const accounts = await tx.all<EditedAccountRow>(editedAccounts, [sequence]);
    const slots = await tx.all<EditedSlotRow>(editedSlots, [sequence]);
    await tx.write([
      {
        sql: toInsert("account", "replace"),
        rows: accounts
          .filter(({ present }) => present === 1)
          .map((row) => [row.address, at, row.nonce, row.balance, row.code_hash]),
      },
      {
        sql: "delete from account where address = ? and block = ?",
        rows: accounts.filter(({ present }) => present === 0).map(({ address }) => [address, at]),
      },
      {
        sql: toInsert("storage", "replace"),
        rows: slots.filter(({ value }) => value !== null).map((row) => [row.address, row.slot, at, row.value]),
      },
      {
        sql: "delete from storage where address = ? and slot = ? and block = ?",
        rows: slots.filter(({ value }) => value === null).map((row) => [row.address, row.slot, at]),
      },
    ]);
  }
  await tx.write(
    ["state_edit", "state_edit_account", "state_edit_slot"].map((table) => ({
      sql: `delete from ${table} where sequence > ?`,
      rows: [[edit]],
    })),
  );
}
