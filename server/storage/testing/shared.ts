/**
 * Tests what several instances need from every kind of store: changes in order, leases with one holder, nonces without
 * gaps, reservations within a balance, and requests within a rate.
 */

import { expect, it } from "vitest";
import { pause } from "@/lib/pause";
import type { PoolRecord, Store } from "@/server/ports/store";
import { LostAllotmentError, LostLeaseError } from "@/server/storage/errors";
import { createTestChain, toAddress, toHash, toTransaction } from "@/server/storage/testing/fixtures";
import { toPayment } from "@/server/storage/testing/payments";
import type { UseStore } from "@/server/storage/testing/testStore";

const sender = toAddress(0xa);
export function describeShared(use: UseStore): void {
  it("counts changes, and lists pool and ledger rows since a version", async () => {
    const { store } = use();
    expect(await store.findVersions()).toEqual({ chain: 0, pool: 0, payment: 0 });
    const chain = createTestChain();
    await store.commit(chain.next());
    const [one, two, three] = [1, 2, 3].map((seen) => toRecord(seen)) as [PoolRecord, PoolRecord, PoolRecord];
    await store.putPool([one]);
    const seen = await store.listPoolSince(0);
    expect(seen.records).toEqual([one]);
    await store.putPool([two, three]);
    const mined: PoolRecord = { ...one, status: "mined" };
    await store.commit(chain.next({ pool: { put: [mined] } }));
    const later = await store.listPoolSince(seen.version);
    expect(later.records.map(({ hash }) => hash).sort()).toEqual([one, two, three].map(({ hash }) => hash).sort());
    expect(later.records.at(-1)).toEqual(mined);
    expect(await store.listPoolSince(later.version)).toEqual({ version: later.version, records: [] });
    expect(await store.findVersions()).toEqual({ chain: 2, pool: later.version, payment: 0 });

    for (const at of [1, 2, 3]) await store.changePayments([toPayment(at, 5)]);
    await store.changePayments([4, 5].map((at) => toPayment(at, 5)));
    const first = await store.listPaymentsSince(0, 2);
    expect(first.records.map(({ id }) => id)).toEqual([toPayment(1, 5).id]);
    // Rows that were written together are reported together.
    const rest = await store.listPaymentsSince(first.version, 3);
    expect(rest.records.map(({ id }) => id)).toEqual([2, 3].map((at) => toPayment(at, 5).id));
    const end = await store.listPaymentsSince(rest.version, 4);
    expect(end.records.map(({ id }) => id).sort()).toEqual([4, 5].map((at) => toPayment(at, 5).id));
    expect((await store.findVersions()).payment).toBe(end.version);
  });

  it("never overwrites a mined transaction's record with an older status", async () => {
    const { store } = use();
    const mined: PoolRecord = { ...toRecord(1), status: "mined" };
    await store.putPool([mined]);
    await store.putPool([{ ...mined, status: "dropped", reason: "nonce too low" }]);
    expect(await store.listPool()).toEqual([mined]);
  });

  it("grants a lease to one holder until it ends, and a higher fence to the next", async () => {
    const { store } = use();
    const claim = (holder: string, lengthMs = 60_000) => store.claimLease({ name: "builder", holder, lengthMs });
    expect(await store.findLease("builder")).toBeUndefined();
    expect(await claim("one")).toBe(1);
    expect(await claim("two")).toBeUndefined();
    expect(await claim("one")).toBe(1);
    expect(await store.findLease("builder")).toMatchObject({ holder: "one", fence: 1 });
    await store.releaseLease({ name: "builder", holder: "two", fence: 1 });
    expect(await claim("two")).toBeUndefined();
    await store.releaseLease({ name: "builder", holder: "one", fence: 1 });
    expect(await claim("two", 1)).toBe(2);
    await pause(5);
    expect((await store.findLease("builder"))?.remainingMs).toBe(0);
    expect(await claim("one")).toBe(3);
    expect(await store.claimLease({ name: "other", holder: "two", lengthMs: 1 })).toBe(1);
  });

  it("rejects a block from a holder that lost its lease, and writes no part of it", async () => {
    const { store } = use();
    const chain = createTestChain();
    await store.commit(chain.next());
    const lost = (await store.claimLease({ name: "builder", holder: "one", lengthMs: 1 }))!;
    await pause(5);
    const fence = (await store.claimLease({ name: "builder", holder: "two", lengthMs: 60_000 }))!;
    const commit = chain.next({ pool: { put: [toRecord(1)] } });
    const late = async () => store.commit({ ...commit, lease: { name: "builder", fence: lost } });
    await expect(late()).rejects.toThrow(LostLeaseError);
    expect((await store.findHead())?.number).toBe(0);
    expect(await store.listPool()).toEqual([]);
    await store.commit({ ...commit, lease: { name: "builder", fence } });
    expect((await store.findHead())?.number).toBe(1);
  });

  it("allots nonces in order, and reuses nonces that were returned or not signed in time", async () => {
    const { store } = use();
    const allot = (holder: string, mined = 7, lengthMs = 60_000) =>
      store.allotNonce({ account: sender, mined, pending: mined, holder, lengthMs });
    const sign = (holder: string, nonce: number) =>
      store.signAllotment({ account: sender, nonce, holder }, { transaction: toHash(nonce), raw: `0x0${nonce}` });
    expect(await allot("a")).toBe(7);
    expect(await allot("b", 7, 1)).toBe(8);
    expect(await sign("a", 7)).toBe(true);
    await pause(5);
    // Instance b was too slow: its nonce was given to c, so b must not send with it.
    expect(await allot("c")).toBe(8);
    expect(await sign("b", 8)).toBe(false);
    expect(await sign("c", 8)).toBe(true);
    expect(await sign("c", 8)).toBe(true);
    expect(await allot("d")).toBe(9);
    expect(await store.listSigned(sender, 9)).toEqual([
      { nonce: 7, transaction: toHash(7), raw: "0x07" },
      { nonce: 8, transaction: toHash(8), raw: "0x08" },
    ]);
    expect(await store.returnAllotment({ account: sender, nonce: 8, holder: "a" })).toBe(false);
    expect(await store.returnAllotment({ account: sender, nonce: 8, holder: "c" })).toBe(true);
    const below = { account: sender, holder: "e", lengthMs: 60_000 };
    expect(await store.allotAbandoned({ ...below, below: 8 })).toBeUndefined();
    expect(await store.allotAbandoned({ ...below, below: 9 })).toBe(8);
    expect(await store.allotAbandoned({ ...below, below: 9 })).toBeUndefined();
    expect(await store.listSigned(sender)).toEqual([{ nonce: 7, transaction: toHash(7), raw: "0x07" }]);
    // The chain is ahead of every allotted nonce, because someone else sent transactions with the same key.
    expect(await allot("f", 20)).toBe(20);
    expect(await store.listSigned(sender)).toEqual([]);
    expect(await store.allotNonce({ account: sender, mined: 20, pending: 23, holder: "g", lengthMs: 1 })).toBe(23);
    const another = { account: toAddress(0xb), mined: 0, pending: 0, holder: "a", lengthMs: 1 };
    expect(await store.allotNonce(another)).toBe(0);
  });

  it("records either both a signed nonce and its transaction's payments, or neither", async () => {
    const { store } = use();
    const nonce = await store.allotNonce({ account: sender, mined: 0, pending: 0, holder: "a", lengthMs: 60_000 });
    const settlement = { transaction: toHash(9), raw: "0x09" as const };
    const settling = { ...toPayment(1, 5), state: "settling" as const, transaction: toHash(9) };
    const late = async () =>
      store.changePayments([settling], { ...settlement, allotment: { account: sender, nonce, holder: "b" } });
    await expect(late()).rejects.toThrow(LostAllotmentError);
    expect(await store.findPayment(settling.id)).toBeUndefined();
    expect(await store.findSettlement(toHash(9))).toBeUndefined();
    const allotment = { account: sender, nonce, holder: "a" };
    // The revision differs from the ledger's, so the nonce remains free.
    expect(await store.changePayments([{ ...settling, revision: 1 }], { ...settlement, allotment })).toBe(false);
    expect(await store.listSigned(sender)).toEqual([]);
    expect(await store.changePayments([settling], { ...settlement, allotment })).toBe(true);
    expect(await store.listSigned(sender)).toEqual([{ nonce, ...settlement }]);
  });

  it("never reserves more of a purse than its balance", async () => {
    const { store } = use();
    const hold = (at: number, units: bigint, lengthMs = 60_000) =>
      store.holdUnits({ purse: "alice", id: toHash(at), units, balanceUnits: 10n, lengthMs });
    expect(await hold(1, 6n)).toBe(true);
    expect(await hold(1, 10n)).toBe(true);
    expect(await hold(2, 1n)).toBe(false);
    expect(await hold(1, 6n)).toBe(true);
    expect(await hold(2, 4n, 1)).toBe(true);
    await pause(5);
    expect(await store.listHolds({ purse: "alice", limit: 5 })).toEqual([toHash(1)]);
    expect(await hold(3, 4n)).toBe(true);
    const elsewhere = { purse: "bob", id: toHash(4), units: 10n, balanceUnits: 10n, lengthMs: 1 };
    expect(await store.holdUnits(elsewhere)).toBe(true);
    await store.releaseUnits({ purse: "alice", id: toHash(1) });
    await store.deleteExpiredHolds();
    expect(await hold(5, 6n)).toBe(true);
    expect(await hold(6, 1n)).toBe(false);
  });

  it("limits a client's request rate, and refills over time", async () => {
    const { store } = use();
    const take = (client: string, perSecond = 1) =>
      store.takeRequest({ client: `test ${client}`, perSecond, burst: 3 });
    const answers: number[] = [];
    for (let request = 0; request < 5; request++) answers.push(await take("one"));
    expect(answers).toEqual([0, 0, 0, 1, 1]);
    expect(await take("two")).toBe(0);
    // At a thousand requests per second, a refill takes only a few milliseconds.
    await pause(5);
    expect(await take("one", 1_000)).toBe(0);
    for (let request = 0; request < 3; request++) await take("one");
    await store.deleteFullBuckets("test", 60_000);
    expect(await take("one")).toBe(1);
    await pause(5);
    await store.deleteFullBuckets("other", 1);
    expect(await take("one")).toBe(1);
    await store.deleteFullBuckets("test", 1);
    expect(await take("one")).toBe(0);
  });

  it("takes several units at once, and shows what is left without taking any", async () => {
    const { store } = use();
    const want = { client: "several", perSecond: 1, burst: 900, cost: 700 };
    expect(await store.findBucket("several")).toBeUndefined();
    expect(await store.takeRequest(want)).toBe(0);
    expect((await store.findBucket("several"))?.left).toBe(200);
    const waitSeconds = await store.takeRequest(want);
    expect(waitSeconds).toBeGreaterThan(400);
    expect(waitSeconds).toBeLessThanOrEqual(500);
    expect((await store.findBucket("several"))?.left).toBe(200);
    expect(await store.takeRequest({ ...want, cost: 200 })).toBe(0);
  });
}

/** Declares the tests that need two stores on one database. `other` opens the second one. */
export function describeRivals(use: () => { store: Store }, other: () => Promise<Store>): void {
  it("accept one of two concurrent blocks on the same head", async () => {
    const stores = [use().store, await other()] as const;
    const chain = createTestChain();
    let parent = chain.next();
    await stores[0].commit(parent);
    for (let number = 1; number <= 8; number++) {
      const rivals = [0, 1].map((at) => {
        const next = createTestChain();
        next.next();
        const { block, ...rest } = next.next({
          header: { number, parentHash: parent.block.header.hash, extraData: `0x0${at}` },
          transactions: Array.from({ length: 10 }, () => ({ to: sender })),
        });
        return { ...rest, block };
      });
      for (const [at, rival] of rivals.entries()) {
        rival.block.transactions = rival.block.transactions.map((_, index) =>
          toTransaction(number * 1_000 + at * 100 + index, sender, sender),
        );
      }
      const outcomes = await Promise.allSettled(rivals.map(async (rival, at) => stores[at as 0 | 1].commit(rival)));
      const winners = outcomes.flatMap(({ status }, at) => (status === "fulfilled" ? [rivals[at]!] : []));
      expect(winners).toHaveLength(1);
      const failure = outcomes.find(({ status }) => status === "rejected");
      expect(failure).toMatchObject({ reason: { name: "StaleHeadError" } });
      parent = winners[0]!;
      for (const store of stores) expect(await store.findBlock(number)).toEqual(parent.block);
      const loser = rivals.find((rival) => rival !== parent)!;
      expect(await stores[0].findTransaction(loser.block.transactions[0]!.hash)).toBeUndefined();
    }
    await stores[1].close();
  });

  it("grant concurrent callers one lease, unique nonces without gaps, and each unit at most once", async () => {
    const stores = [use().store, await other()];
    const many = Array.from({ length: 40 }, (_, at) => ({ store: stores[at % 2]!, holder: `holder ${at}`, at }));
    const fences = await Promise.all(
      many.map(({ store, holder }) => store.claimLease({ name: "builder", holder, lengthMs: 60_000 })),
    );
    expect(fences.filter((fence) => fence !== undefined)).toEqual([1]);
    const nonces = await Promise.all(
      many.map(({ store, holder }) =>
        store.allotNonce({ account: sender, mined: 3, pending: 3, holder, lengthMs: 60_000 }),
      ),
    );
    expect(nonces.sort((a, b) => a - b)).toEqual(many.map(({ at }) => at + 3));
    const holds = await Promise.all(
      many.map(({ store, at }) =>
        store.holdUnits({ purse: "alice", id: toHash(at), units: 3n, balanceUnits: 31n, lengthMs: 60_000 }),
      ),
    );
    expect(holds.filter(Boolean)).toHaveLength(10);
    const takes = await Promise.all(
      many.map(({ store }) => store.takeRequest({ client: "one", perSecond: 1, burst: 30 })),
    );
    // Making forty requests may take long enough for the bucket to refill a little.
    expect(takes.filter((seconds) => seconds === 0).length).toBeLessThan(40);
    expect(takes.filter((seconds) => seconds === 0).length).toBeGreaterThanOrEqual(30);
    await stores[1]!.close();
  });

  it("accept one of two concurrent changes to a payment and keep its totals correct", async () => {
    const stores = [use().store, await other()];
    const first = toPayment(1, 5);
    await stores[0]!.changePayments([first]);
    const landed = await Promise.all(
      stores.flatMap((store, at) => [
        store.changePayments([{ ...first, revision: 1, state: "settled", transaction: toHash(at) }]),
        store.changePayments([toPayment(10 + at, 5)]),
      ]),
    );
    expect(landed.filter(Boolean)).toHaveLength(3);
    for (const store of stores) {
      const totals = await store.listPaymentTotals({ grouping: "state", limit: 9 });
      expect(totals.map(({ subject, payments }) => [subject, payments])).toEqual([
        ["settled", 1],
        ["verified", 2],
      ]);
    }
    await stores[1]!.close();
  });
}

function toRecord(seenAtMs: number): PoolRecord {
  const transaction = toTransaction(seenAtMs, sender, sender);
  return {
    hash: transaction.hash,
    sender,
    nonce: BigInt(seenAtMs),
    raw: transaction.raw,
    status: "pending",
    seenAtMs,
    changedAtMs: seenAtMs,
  };
}
