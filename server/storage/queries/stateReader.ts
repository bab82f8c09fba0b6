/** Synchronous state reads for the EVM, with the same statements as the asynchronous reads of queries/state.ts. */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { ChainVersion, StateReader } from "@/server/ports/store";
import { plain } from "@/server/storage/columns";
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

/** Sorts before every slot. */
const beforeSlots = new Uint8Array(0);

export function createStateReader(sql: SqlSyncReader): StateReader & { findChainVersion(): ChainVersion } {
  return {
    findAccount: (address, block) => toAccount(sql.get<AccountRow>(accountAt, [toBytes(address), block])),
    findSlot: (address, slot, block) =>
      toSlotValue(sql.get<{ value: Uint8Array }>(slotAt, [toBytes(address), toBytes(slot), block])?.value),
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
