/**
 * Stores accounts, storage slots, code and trie nodes. Each row has a value as of the end of a block, or records that
 * the value was deleted. One seek finds the newest row at or before a block.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Account, Address, Hash, StateChanges } from "@/server/ethereum/types";
import type { StateStore } from "@/server/ports/store";
import { digitsOf, fromTrimmed, optionalScalar, orNull, plain, toTrimmed } from "@/server/storage/columns";
import { toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlValue, SqlWrite } from "@/server/storage/sql";

// The driver returns strings faster than bytes. Because hex() may turn NULL into "", `is_deleted` tells these apart.
export const accountAt = `select case when balance is null then 1 else 0 end as is_deleted,
  ${digitsOf("nonce")}, ${digitsOf("balance")}, ${digitsOf("code_hash")}, block
  from account where address = ? and block <= ? order by block desc limit 1`;
export const slotAt = `select ${digitsOf("value")}, block from storage
  where address = ? and slot = ? and block <= ? order by block desc limit 1`;
const editedRoot = "select state_root from state_edit where block = ? order by sequence desc limit 1";

export const codeOf = "select code from code where hash = ?";
export const trieNodeOf = "select node from trie_node where hash = ?";

// Walks through an account's distinct slots with one seek per slot, because a plain DISTINCT would read every version.
// The outer query must keep the order of the walk.
const walk = `with recursive walk(slot) as (
    select (select slot from storage where address = ? and slot > ? order by slot limit 1)
    union all
    select (select s.slot from storage s where s.address = ? and s.slot > walk.slot order by s.slot limit 1)
    from walk where walk.slot is not null
  )`;
const valueInWalk = `(select v.value from storage v where v.address = ? and v.slot = walk.slot and v.block <= ?
  order by v.block desc limit 1)`;
const slotsAt = `${walk} select walk.slot as slot, ${valueInWalk} as value from walk where walk.slot is not null limit ?`;
const accountsAt = `with recursive walk(address) as (
    select (select address from account where address > ? order by address limit 1)
    union all
    select (select a.address from account a where a.address > walk.address order by a.address limit 1)
    from walk where walk.address is not null
  )
  select address from walk where address is not null limit ?`;
/** Finds a row if the account has a nonzero slot. Params: address, an empty blob, address, address, block. */
export const anySlotAt = `${walk} select 1 as found from walk
  where walk.slot is not null and length(${valueInWalk}) > 0 limit 1`;

/** For NULL, SQLite returns the digits "", and Postgres returns null. */
export type AccountRow = {
  is_deleted: number;
  nonce: string | null;
  balance: string | null;
  code_hash: string | null;
};
type SlotRow = { slot: Uint8Array; value: Uint8Array | null };
type StoredSlot = { slot: Hash; value: Hash };

/** Reads the state. */
export function createStateStore(sql: SqlReader): StateStore {
  return {
    async findAccount(address, block) {
      return toAccount(await sql.get<AccountRow>(accountAt, [toBytes(address), block]));
    },
    async findSlot(address, slot, block) {
      const row = await sql.get<{ value: string }>(slotAt, [toBytes(address), toBytes(slot), block]);
      return toSlotValue(row?.value);
    },
    async findSlotBlock(address, slot, block) {
      return (await sql.get<{ block: number }>(slotAt, [toBytes(address), toBytes(slot), block]))?.block;
    },
    async findCode(hash) {
      const row = await sql.get<{ code: Uint8Array }>(codeOf, [toBytes(hash)]);
      return row && plain(row.code);
    },
    async findTrieNode(hash) {
      const row = await sql.get<{ node: Uint8Array }>(trieNodeOf, [toBytes(hash)]);
      return row && plain(row.node);
    },
    async findEditedRoot(block) {
      const row = await sql.get<{ state_root: Uint8Array }>(editedRoot, [block]);
      return row && toHex(row.state_root);
    },
    listSlots: (address, block, page) => collectSlots(sql, address, block, page),
  };
}

/** Returns the account in a row, or undefined if it does not exist or was deleted. */
export function toAccount(row: AccountRow | undefined): Account | undefined {
  if (!row || row.is_deleted) return undefined;
  return {
    nonce: toBigInt(row.nonce),
    balance: toBigInt(row.balance),
    codeHash: row.code_hash ? `0x${row.code_hash.toLowerCase()}` : emptyCodeHash,
  };
}

const toBigInt = (digits: string | null) => (digits ? BigInt(`0x${digits}`) : 0n);

/** Returns the word with these digits, or undefined if it is zero. */
export function toSlotValue(digits: string | null | undefined): Hash | undefined {
  return digits ? `0x${digits.toLowerCase().padStart(64, "0")}` : undefined;
}

export async function collectAccounts(
  sql: SqlReader,
  block: number,
  page: { after?: Address; limit: number },
): Promise<{ address: Address; account: Account }[]> {
  const found: { address: Address; account: Account }[] = [];
  // An empty blob sorts before every address.
  let after: Uint8Array = page.after ? toBytes(page.after) : new Uint8Array(0);
  while (found.length < page.limit) {
    const wanted = page.limit - found.length;
    const rows = await sql.all<{ address: Uint8Array }>(accountsAt, [after, wanted]);
    for (const { address } of rows) {
      const account = toAccount(await sql.get<AccountRow>(accountAt, [address, block]));
      if (account) found.push({ address: toHex(address), account });
    }
    const last = rows.at(-1);
    if (!last || rows.length < wanted) break;
    after = last.address;
  }
  return found;
}

async function collectSlots(
  sql: SqlReader,
  address: Address,
  block: number,
  page: { after?: Hash; limit: number },
): Promise<StoredSlot[]> {
  const owner = toBytes(address);
  const found: StoredSlot[] = [];
  // An empty blob sorts before every slot.
  let after: Uint8Array = page.after ? toBytes(page.after) : new Uint8Array(0);
  while (found.length < page.limit) {
    const wanted = page.limit - found.length;
    const rows = await sql.all<SlotRow>(slotsAt, [owner, after, owner, owner, block, wanted]);
    for (const row of rows) {
      if (row.value?.length) found.push({ slot: toHex(row.slot), value: fromTrimmed(row.value) });
    }
    const last = rows.at(-1);
    if (!last || rows.length < wanted) break;
    after = last.slot;
  }
  return found;
}

/**
 * Creates the rows for a block's state changes. Deleting an account clears all of its slots, so that a later account at
 * the same address starts empty.
 */
export async function collectStateWrites(sql: SqlReader, block: number, state: StateChanges): Promise<SqlWrite[]> {
  const slots: SqlValue[][] = state.storage.map(({ address, slot, value }) => [
    toBytes(address),
    toBytes(slot),
    block,
    toTrimmed(value),
  ]);
  for (const { address, account } of state.accounts) {
    if (account || block === 0) continue;
    const left = await collectSlots(sql, address, block - 1, { limit: Number.MAX_SAFE_INTEGER });
    const named = new Set(state.storage.filter((change) => change.address === address).map(({ slot }) => slot));
    for (const { slot } of left) {
      if (!named.has(slot)) slots.push([toBytes(address), toBytes(slot), block, new Uint8Array(0)]);
    }
  }
  return [
    {
      sql: toInsert("account", "replace"),
      rows: state.accounts.map(({ address, account }) => [
        toBytes(address),
        block,
        optionalScalar(account?.nonce),
        optionalScalar(account?.balance),
        orNull(account?.codeHash === emptyCodeHash ? undefined : account?.codeHash, toBytes),
      ]),
    },
    { sql: toInsert("storage", "replace"), rows: slots },
    { sql: toInsert("code", "ignore"), rows: state.codes.map(({ hash, code }) => [toBytes(hash), code]) },
    { sql: toInsert("trie_node", "ignore"), rows: state.trieNodes.map(({ hash, node }) => [toBytes(hash), node]) },
  ];
}
