/**
 * Allots nonces for accounts that several instances send from. An instance owns a nonce until it signs a transaction
 * with it or the allotment expires. Unused nonces are allotted again first, so that no gap remains.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import type { Hash, Hex } from "@/server/ethereum/types";
import type { Allotment, AllotmentStore } from "@/server/ports/store";
import { POSITION_END } from "@/server/storage/columns";
import type { SqlDriver, SqlWriter } from "@/server/storage/sql";

// Database transactions lock this row until they have written the nonce, so they take turns.
const lock = `insert into topic (name, version) values (?, 1)
  on conflict (name) do update set version = topic.version + 1 returning version`;
const forget = "delete from allotment where account = ? and nonce < ?";
const abandoned = `select nonce from allotment where account = ? and hash is null and expires_at <= now_ms()
  and nonce < ? order by nonce limit 1`;
const last = "select nonce from allotment where account = ? order by nonce desc limit 1";
const put = `insert into allotment (account, nonce, holder, expires_at) values (?, ?, ?, now_ms() + ?)
  on conflict (account, nonce) do update set holder = excluded.holder, expires_at = excluded.expires_at,
    hash = null, raw = null`;
const sign = `update allotment set hash = ?, raw = ? where account = ? and nonce = ? and holder = ?
  and (hash is null or hash = ?)`;
const giveBack =
  "update allotment set hash = null, raw = null, expires_at = 0 where account = ? and nonce = ? and holder = ?";
const signed = `select nonce, hash, raw from allotment where account = ? and hash is not null and nonce < ?
  order by nonce`;

type SignedRow = { nonce: number; hash: Uint8Array; raw: Uint8Array };

export function createAllotmentStore(sql: SqlDriver): AllotmentStore {
  return {
    allotNonce: ({ account, mined, pending, holder, lengthMs }) =>
      sql.transaction(true, async (tx) => {
        const key = toBytes(account);
        await tx.get(lock, [`nonce ${account}`]);
        await tx.write([{ sql: forget, rows: [[key, mined]] }]);
        const free = await tx.get<{ nonce: number }>(abandoned, [key, POSITION_END]);
        const highest = await tx.get<{ nonce: number }>(last, [key]);
        const nonce = free?.nonce ?? Math.max((highest?.nonce ?? -1) + 1, mined, pending);
        await tx.write([{ sql: put, rows: [[key, nonce, holder, lengthMs]] }]);
        return nonce;
      }),
    allotAbandoned: ({ account, below, holder, lengthMs }) =>
      sql.transaction(true, async (tx) => {
        const key = toBytes(account);
        await tx.get(lock, [`nonce ${account}`]);
        const free = await tx.get<{ nonce: number }>(abandoned, [key, below]);
        if (free) await tx.write([{ sql: put, rows: [[key, free.nonce, holder, lengthMs]] }]);
        return free?.nonce;
      }),
    signAllotment: (allotment, { transaction, raw }) =>
      sql.transaction(true, (tx) => signIn(tx, allotment, transaction, raw)),
    returnAllotment: ({ account, nonce, holder }) =>
      sql.transaction(true, async (tx) => (await tx.change(giveBack, [toBytes(account), nonce, holder])) === 1),
    async listSigned(account, before = POSITION_END) {
      const rows = await sql.all<SignedRow>(signed, [toBytes(account), before]);
      return rows.map(({ nonce, hash, raw }) => ({ nonce, transaction: toHex(hash), raw: toHex(raw) }));
    },
  };
}

/** Call this in the transaction that also records the signed payments. Repeating it has no effect. */
export async function signIn(
  tx: SqlWriter,
  { account, nonce, holder }: Allotment,
  transaction: Hash,
  raw: Hex,
): Promise<boolean> {
  const hash = toBytes(transaction);
  return (await tx.change(sign, [hash, toBytes(raw), toBytes(account), nonce, holder, hash])) === 1;
}
