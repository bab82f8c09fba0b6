/**
 * State set by hand, snapshots, and the way back to one. Edits are kept with the rows they replaced, so that undoing
 * them from the last to the first leaves exactly what was there; blocks are deleted, and what is kept incrementally of
 * them is made anew from what remains.
 */
import { toBytes, toHex } from "@/server/chain/codec/bytes";
import { andThen, flow, type Steps, step } from "@/server/storage/awaitable";
import { toPosition } from "@/server/storage/columns";
import { StaleHeadError } from "@/server/storage/errors";
import type { RewindStore, Snapshot } from "@/server/storage/port";
import { collectStateWrites } from "@/server/storage/queries/state";
import { collectTokenRebuild } from "@/server/storage/queries/tokenRebuild";
import { nextVersion } from "@/server/storage/queries/topics";
import { toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlValue, SqlWriter } from "@/server/storage/sql";

const head = "select number, hash from head where id = 1";
const lastEdit = "select sequence from state_edit order by sequence desc limit 1";
const accountOf = "select nonce, balance, code_hash from account where address = ? and block = ?";
const slotOf = "select value from storage where address = ? and slot = ? and block = ?";
const editsSince = "select sequence, block from state_edit where sequence > ? order by sequence desc";
const editedAccounts = "select address, present, nonce, balance, code_hash from state_edit_account where sequence = ?";
const editedSlots = "select address, slot, value from state_edit_slot where sequence = ?";
// Of those that are left a later one is of no earlier block.
const snapshots =
  "select id, block, edit, clock_offset from snapshot where block >= 0 order by block desc, id desc limit ?";
const lastSnapshot = "select id from snapshot order by id desc limit 1";
const lastGone = "select id from snapshot where block = -1 order by id desc limit 1";
const settled = `select distinct p.transaction_hash as hash from payment p
  join transactions t on t.hash = p.transaction_hash where t.position >= ?`;

type HeadRow = { number: number; hash: Uint8Array };
type AccountRow = { nonce: Uint8Array | null; balance: Uint8Array | null; code_hash: Uint8Array | null };
type EditedAccountRow = AccountRow & { address: Uint8Array; present: number };
type EditedSlotRow = { address: Uint8Array; slot: Uint8Array; value: Uint8Array | null };
type SnapshotRow = { id: number; block: number; edit: number; clock_offset: number };

export function createRewindStore(sql: SqlDriver): RewindStore {
  return {
    editState: (edit) => sql.transaction(true, (tx) => flow(() => writeEdit(tx, edit))),
    addSnapshot: (clockOffset) => sql.transaction(true, (tx) => flow(() => writeSnapshot(tx, clockOffset))),
    findSnapshot: (id) =>
      flow(function* (): Steps<Snapshot | undefined> {
        const row = yield* step(
          sql.get<SnapshotRow>("select id, block, edit, clock_offset from snapshot where id = ? and block >= 0", [id]),
        );
        return row && fromSnapshotRow(row);
      }),
    listSnapshots: (limit) => andThen(sql.all<SnapshotRow>(snapshots, [limit]), (rows) => rows.map(fromSnapshotRow)),
    findHistory: () => andThen(sql.get<{ id: number }>(lastGone, []), (row) => (row ? row.id + 1 : 0)),
    rewind: (to) => sql.transaction(true, (tx) => flow(() => writeRewind(tx, to))),
  };
}

function fromSnapshotRow({ id, block, edit, clock_offset }: SnapshotRow): Snapshot {
  return { id, block, edit, clockOffset: clock_offset };
}

function* getHead(tx: SqlWriter): Steps<HeadRow> {
  const row = yield* step(tx.get<HeadRow>(head, []));
  if (!row) throw new StaleHeadError("An empty database has no head.");
  return row;
}

function* getLastEdit(tx: SqlWriter): Steps<number> {
  return (yield* step(tx.get<{ sequence: number }>(lastEdit, [])))?.sequence ?? 0;
}

function* writeEdit(tx: SqlWriter, edit: Parameters<RewindStore["editState"]>[0]): Steps<void> {
  yield* step(nextVersion(tx, "chain"));
  const stored = yield* getHead(tx);
  const block = edit.head.number;
  if (stored.number !== block || toHex(stored.hash) !== edit.head.hash) {
    throw new StaleHeadError(`Block ${block} (${edit.head.hash}) is not the stored head ${stored.number}.`);
  }
  const sequence = (yield* getLastEdit(tx)) + 1;
  const accounts: SqlValue[][] = [];
  for (const { address } of edit.state.accounts) {
    const key = toBytes(address);
    const row = yield* step(tx.get<AccountRow>(accountOf, [key, block]));
    accounts.push([sequence, key, row ? 1 : 0, row?.nonce ?? null, row?.balance ?? null, row?.code_hash ?? null]);
  }
  const slots: SqlValue[][] = [];
  for (const change of edit.state.storage) {
    const key = [toBytes(change.address), toBytes(change.slot)] as const;
    const row = yield* step(tx.get<{ value: Uint8Array }>(slotOf, [...key, block]));
    slots.push([sequence, ...key, row?.value ?? null]);
  }
  yield* step(
    tx.write([
      { sql: toInsert("state_edit", "fail"), rows: [[sequence, block, toBytes(edit.stateRoot)]] },
      { sql: toInsert("state_edit_account", "fail"), rows: accounts },
      { sql: toInsert("state_edit_slot", "fail"), rows: slots },
      ...(yield* collectStateWrites(tx, block, edit.state)),
    ]),
  );
}

function* writeSnapshot(tx: SqlWriter, clockOffset: number): Steps<Snapshot> {
  yield* step(nextVersion(tx, "chain"));
  const { number } = yield* getHead(tx);
  const edit = yield* getLastEdit(tx);
  const id = yield* nextSnapshotId(tx);
  yield* step(tx.write([{ sql: toInsert("snapshot", "fail"), rows: [[id, number, edit, clockOffset]] }]));
  return { id, block: number, edit, clockOffset };
}

function* nextSnapshotId(tx: SqlWriter): Steps<number> {
  return ((yield* step(tx.get<{ id: number }>(lastSnapshot, [])))?.id ?? -1) + 1;
}

function* writeRewind(
  tx: SqlWriter,
  to: Parameters<RewindStore["rewind"]>[0],
): Steps<Awaited<ReturnType<RewindStore["rewind"]>>> {
  yield* step(nextVersion(tx, "chain"));
  const first = to.block + 1;
  const position = toPosition(first, 0);
  const target = yield* step(tx.get<{ hash: Uint8Array }>("select hash from block where number = ?", [to.block]));
  if (!target) throw new StaleHeadError(`There is no block ${to.block} to go back to.`);
  const gone = yield* step(tx.all<{ hash: Uint8Array }>(settled, [position]));
  yield* undoEdits(tx, to);
  const tokens = yield* step(
    tx.all<{ token: Uint8Array }>("select distinct token from token_transfer where position >= ?", [position]),
  );
  yield* step(
    tx.write([
      { sql: "update head set number = ?, hash = ? where id = 1", rows: [[to.block, target.hash]] },
      ...["account", "storage", "log_term"].map((table) => ({
        sql: `delete from ${table} where block >= ?`,
        rows: [[first]],
      })),
      ...["transactions", "address_transaction", "token_transfer", "internal_transfer"].map((table) => ({
        sql: `delete from ${table} where position >= ?`,
        rows: [[position]],
      })),
      { sql: "delete from block where number >= ?", rows: [[first]] },
      { sql: "update read_model set next_block = ? where next_block > ?", rows: [[first, first]] },
      // Ids are never given again: what is gone stays as a row without a place.
      {
        sql: "update snapshot set block = -1 where block > ? or edit > ? or id >= ?",
        rows: [[to.block, to.edit, to.snapshots ?? Number.MAX_SAFE_INTEGER]],
      },
      // What makes this another history than before, where no snapshot went.
      { sql: toInsert("snapshot", "fail"), rows: [[yield* nextSnapshotId(tx), -1, 0, 0]] },
      // The pool starts anew, and so do the nonces of those who sent what is gone.
      { sql: "delete from pool", rows: [[]] },
      { sql: "delete from allotment", rows: [[]] },
      { sql: "delete from reservation", rows: [[]] },
    ]),
  );
  yield* collectTokenRebuild(
    tx,
    tokens.map(({ token }) => toHex(token)),
    to.holdings,
  );
  return { settlements: gone.map(({ hash }) => toHex(hash)) };
}

/** Puts back the rows that edits replaced; those of blocks that go are not worth it. */
function* undoEdits(tx: SqlWriter, { block, edit }: { block: number; edit: number }): Steps<void> {
  const edits = yield* step(tx.all<{ sequence: number; block: number }>(editsSince, [edit]));
  for (const { sequence, block: at } of edits) {
    if (at > block) continue;
    const accounts = yield* step(tx.all<EditedAccountRow>(editedAccounts, [sequence]));
    const slots = yield* step(tx.all<EditedSlotRow>(editedSlots, [sequence]));
    yield* step(
      tx.write([
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
      ]),
    );
  }
  yield* step(
    tx.write(
      ["state_edit", "state_edit_account", "state_edit_slot"].map((table) => ({
        sql: `delete from ${table} where sequence > ?`,
        rows: [[edit]],
      })),
    ),
  );
}
