/**
 * Nonces of accounts that several instances send from. A nonce is one instance's until it has a signed transaction or
 * its time is over; what nobody signed is handed out again before any new one, so that no gap stays.
 */
import { toBytes, toHex } from "@/server/chain/codec/bytes";
import { andThen, flow, type Steps, step } from "@/server/storage/awaitable";
import type { AllotmentStore } from "@/server/storage/port";
import type { SqlDriver } from "@/server/storage/sql";

// One account's nonces are given one after another: this row is locked until its nonce is written.
const lock = `insert into topic (name, version) values (?, 1)
  on conflict (name) do update set version = topic.version + 1 returning version`;
const forget = "delete from allotment where account = ? and nonce < ?";
const abandoned = `select nonce from allotment where account = ? and hash is null and expires_at <= now_ms()
  order by nonce limit 1`;
const last = "select nonce from allotment where account = ? order by nonce desc limit 1";
const put = `insert into allotment (account, nonce, holder, expires_at) values (?, ?, ?, now_ms() + ?)
  on conflict (account, nonce) do update set holder = excluded.holder, expires_at = excluded.expires_at,
    hash = null, raw = null`;
const sign = `update allotment set hash = ?, raw = ? where account = ? and nonce = ? and holder = ? and hash is null`;
const giveBack =
  "update allotment set hash = null, raw = null, expires_at = 0 where account = ? and nonce = ? and holder = ?";
const signed = `select nonce, hash, raw from allotment where account = ? and hash is not null and nonce < ?
  order by nonce`;

export function createAllotmentStore(sql: SqlDriver): AllotmentStore {
  return {
    allotNonce: ({ account, mined, holder, lengthMs }) =>
      sql.transaction(true, (tx) =>
        flow(function* (): Steps<number> {
          const key = toBytes(account);
          yield* step(tx.get(lock, [`nonce ${account}`]));
          yield* step(tx.write([{ sql: forget, rows: [[key, mined]] }]));
          const free = yield* step(tx.get<{ nonce: number }>(abandoned, [key]));
          const highest = yield* step(tx.get<{ nonce: number }>(last, [key]));
          const nonce = free?.nonce ?? (highest ? highest.nonce + 1 : mined);
          yield* step(tx.write([{ sql: put, rows: [[key, nonce, holder, lengthMs]] }]));
          return nonce;
        }),
      ),
    signAllotment: ({ account, nonce, holder, transaction, raw }) =>
      sql.transaction(true, (tx) =>
        andThen(
          tx.change(sign, [toBytes(transaction), toBytes(raw), toBytes(account), nonce, holder]),
          (count) => count === 1,
        ),
      ),
    returnAllotment: ({ account, nonce, holder }) =>
      sql.transaction(true, (tx) =>
        andThen(tx.change(giveBack, [toBytes(account), nonce, holder]), (count) => count === 1),
      ),
    listSigned: (account, before) =>
      andThen(
        sql.all<{ nonce: number; hash: Uint8Array; raw: Uint8Array }>(signed, [toBytes(account), before]),
        (rows) => rows.map(({ nonce, hash, raw }) => ({ nonce, transaction: toHex(hash), raw: toHex(raw) })),
      ),
  };
}
