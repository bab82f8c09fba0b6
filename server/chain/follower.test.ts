/**
 * Tests an instance that follows another instance while transactions enter its own pool. Both use one SQLite store. The
 * store's reads finish within one turn of the event loop, so each test controls what happens during a read.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { createTurns } from "@/lib/createTurns";
import { closeFollower, createFollower, type Follower, refreshFollower } from "@/server/chain/follower";
import { createHead } from "@/server/chain/head";
import { createNextBlockSettings, usualMining } from "@/server/chain/producer/settings";
import { createProducer } from "@/server/chain/producer/triggers";
import { restorePool } from "@/server/chain/submit";
import { addresses, openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import { createTxPool, type ManagedTxPool } from "@/server/chain/txpool/pool";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { project } from "@/server/explorer/project";

type Following = {
  pool: ManagedTxPool;
  follower: Follower;
  restore: () => Promise<void>;
  /** Runs during the follower's next read of an account. */
  duringRead: (() => Promise<void>) | undefined;
};

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A chain that mines only on demand. */
async function openOther(): Promise<TestChain> {
  const other = await openTestChain({ isDeveloped: true });
  closers.push(async () => {
    await other.close();
    removeFolder(other.folder);
  });
  other.chain.devControls!.setAutomatic(false);
  return other;
}

/** A second instance on the same store, with the current head and an empty pool. */
async function openFollowing({ chain }: TestChain): Promise<Following> {
  const { spec, executor } = chain;
  const store: typeof chain.store = {
    ...chain.store,
    isShared: true,
    async findAccount(address, block) {
      const account = await chain.store.findAccount(address, block);
      const run = following.duringRead;
      following.duringRead = undefined;
      await run?.();
      return account;
    },
  };
  const onError = (error: unknown) => {
    throw error;
  };
  const write = createTurns();
  const pool = createTxPool({ store, isShared: true, write });
  const head = createHead({ store, pool, write, header: chain.head(), chainVersion: chain.chainVersion(), onError });
  const settings = createNextBlockSettings(
    { spec, coinbase: addresses[9]!, now: Date.now, mining: usualMining },
    head.header,
  );
  const parts = {
    spec,
    executor,
    head,
    project,
    settings,
    buildTimeMs: 60_000,
    right: undefined,
    now: Date.now,
    onError,
  };
  const producer = createProducer(parts);
  const { pool: version } = await store.findVersions();
  const follower = createFollower(head, version, onError);
  closers.push(() => closeFollower(follower));
  const following: Following = { pool, follower, restore: () => restorePool(producer), duringRead: undefined };
  return following;
}

it("removes transactions that are mined while the pool is restored", async () => {
  const other = await openOther();
  const hashes = [
    await other.chain.submit(await other.sign(0, { nonce: 0 })),
    await other.chain.submit(await other.sign(1, { nonce: 0 })),
  ];
  const following = await openFollowing(other);
  const { pool, follower } = following;
  let refreshed: Promise<void> | undefined;
  following.duringRead = async () => {
    await other.chain.devControls!.mine(1, 0);
    refreshed = refreshFollower(follower);
    await nextTurn();
  };
  await following.restore();
  await refreshed;
  expect(follower.head.header).toMatchObject({ number: 1 });
  expect(pool.counts()).toEqual({ pending: 0, queued: 0 });
  expect(hashes.map((hash) => pool.findStatus(hash)?.status)).toEqual(["mined", "mined"]);
});

it("updates a sender if its transaction arrives while the follower reads a block", async () => {
  const other = await openOther();
  const following = await openFollowing(other);
  const { pool, follower } = following;
  // The first transaction of each sender is mined. After that, the pool has another transaction from the second sender,
  // and none from the first.
  for (const account of [0, 1]) await other.chain.submit(await other.sign(account, { nonce: 0 }));
  await other.chain.devControls!.mine(1, 0);
  await other.chain.submit(await other.sign(1, { nonce: 1 }));
  const raw = await other.sign(0, { nonce: 1 });
  const account = { nonce: 0n, balance: 10n ** 20n, isContract: false };
  const add = async () => pool.add(decodeTransaction(raw), raw, account);
  // The first read happens while the follower merges the second sender's transaction. The next read happens while the
  // follower processes the block.
  following.duringRead = async () => {
    following.duringRead = add;
  };
  await refreshFollower(follower);
  expect(follower.head.header).toMatchObject({ number: 1 });
  expect(pool.counts()).toEqual({ pending: 2, queued: 0 });
});
