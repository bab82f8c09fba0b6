/** Reads state synchronously for the EVM, with the same statements as the asynchronous reads in queries/state.ts. */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { ChainVersion, StateReader } from "@/server/ports/store";
import { plain } from "@/server/storage/columns";
import type { NewestState, Versions } from "@/server/storage/newestState";
import {
  type AccountRow,
  accountAt,
  anySlotAt,
  codeOf,
  slotAt,
  toAccount,
  toSlotValue,
  trieNodeOf,
} from "@/server/storage/queries/state";
import { type ChainVersionRow, chainVersion, toChainVersion } from "@/server/storage/queries/stateReads";
import type { SqlSyncReader } from "@/server/storage/sql";

/** Empty bytes sort before every slot. */
const beforeSlots = new Uint8Array(0);

export function createVersions(sql: SqlSyncReader): Versions {
  return {
    findAccount(address, block) {
      const row = sql.get<AccountRow & { block: number }>(accountAt, [toBytes(address), block]);
      return { since: row?.block ?? 0, value: toAccount(row) };
    },
    findSlot(address, slot, block) {
      const row = sql.get<{ value: string; block: number }>(slotAt, [toBytes(address), toBytes(slot), block]);
      return { since: row?.block ?? 0, value: toSlotValue(row?.value) };
    },
    findNewest: () => sql.get<{ number: number }>("select number from head where id = 1", [])?.number ?? -1,
  };
}

/** `newest` is the cache of the database's only writer. */
export function createStateReader(
  sql: SqlSyncReader,
  newest?: NewestState,
): StateReader & { findChainVersion(): ChainVersion } {
  const versions = createVersions(sql);
  return {
    findAccount: newest?.findAccount ?? ((address, block) => versions.findAccount(address, block).value),
    findSlot: newest?.findSlot ?? ((address, slot, block) => versions.findSlot(address, slot, block).value),
    hasSlots: (address, block) => {
      const owner = toBytes(address);
      return sql.get(anySlotAt, [owner, beforeSlots, owner, owner, block]) !== undefined;
    },
    findCode: (hash) => {
      const row = sql.get<{ code: Uint8Array }>(codeOf, [toBytes(hash)]);
      return row && plain(row.code);
    },
    findTrieNode: (hash) => {
      const row = sql.get<{ node: Uint8Array }>(trieNodeOf, [toBytes(hash)]);
      return row && plain(row.node);
    },
    findBlockHash: (block) => {
      const row = sql.get<{ hash: Uint8Array }>("select hash from block where number = ?", [block]);
      return row && toHex(row.hash);
    },
    findChainVersion: () => toChainVersion(sql.get<ChainVersionRow>(chainVersion, [])!),
  };
}
