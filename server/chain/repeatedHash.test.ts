/**
 * Tests that a chain contains each transaction hash only once. Other senders' transactions are still mined if a hash is
 * repeated or the store rejects a transaction.
 */
import { afterEach, describe, expect, it } from "vitest";
import { addresses, openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import type { Address, Hash } from "@/server/ethereum/types";
import type { BlockCommit } from "@/server/ports/store";

const opened: TestChain[] = [];

async function open(options: Parameters<typeof openTestChain>[0] = {}): Promise<TestChain> {
  const test = await openTestChain({ isDeveloped: true, ...options });
  opened.push(test);
  return test;
}

afterEach(async () => {
  for (const test of opened.splice(0)) {
    await test.close();
    removeFolder(test.folder);
  }
});

const setNonce = ({ chain }: TestChain, address: Address, nonce: bigint) =>
  chain.devControls!.edit([{ address, nonce }]);

/**
 * Makes the commit fail for every block that contains the bad transaction. Returns a function that returns the number
 * of failures.
 */
function refuseCommits({ chain }: TestChain, holdsPoison: (hash: Hash) => boolean): () => number {
  const { store } = chain;
  const commit = store.commit;
  let refused = 0;
  store.commit = (block: BlockCommit & { chainId: number }) => {
    if (!block.block.transactions.some(({ hash }) => holdsPoison(hash))) return commit(block);
    refused++;
    throw new Error("the row is too long");
  };
  return () => refused;
}

describe("a mined transaction", () => {
  it("is already known after its sender's nonce is set back, and the sender's next transaction is mined", async () => {
    const test = await open();
    const raw = await test.sign(0, { nonce: 0, value: 1n });
    const first = await test.mine(raw);
    await expect(test.chain.submit(raw)).rejects.toMatchObject({ code: "nonce too low" });
    await setNonce(test, addresses[0]!, 0n);
    await expect(test.chain.submit(raw)).rejects.toMatchObject({
      code: "already known",
      message: `already known: ${first.transaction.hash}`,
    });
    expect(await test.mine(await test.sign(1, { nonce: 0 }))).toMatchObject({ blockNumber: 2 });
    expect(await test.mine(await test.sign(0, { nonce: 0, value: 2n }))).toMatchObject({ blockNumber: 3 });
    expect(test.errors).toEqual([]);
  });

  it("is mined again after a rewind to an earlier block", async () => {
    const test = await open();
    const snapshot = await test.chain.devControls!.snapshot();
    const raw = await test.sign(0, { nonce: 0, value: 1n });
    const first = await test.mine(raw);
    expect(await test.chain.devControls!.revert(snapshot)).toBe(true);
    expect((await test.mine(raw)).transaction.hash).toBe(first.transaction.hash);
    expect(test.chain.head().number).toBe(1);
  });

  it("is not mined again if the pool table still lists it at startup", async () => {
    const first = await openTestChain({ isDeveloped: true });
    const raw = await first.sign(0, { nonce: 0, value: 1n });
    const { transaction } = await first.mine(raw);
    await setNonce(first, addresses[0]!, 0n);
    const { store } = first.chain;
    await store.deletePool([transaction.hash]);
    const { hash, from: sender, nonce } = transaction;
    const at = Date.now();
    await store.putPool([{ hash, sender, nonce, raw, status: "pending", seenAtMs: at, changedAtMs: at }]);
    await first.close();

    const second = await open({ folder: first.folder });
    expect(second.chain.pool.findStatus(hash)?.status).toBe("mined");
    expect(await second.mine(await second.sign(1, { nonce: 0 }))).toMatchObject({ blockNumber: 2 });
    expect(second.errors).toEqual([]);
  });

  it("is dropped with a reason if it reaches the pool again", async () => {
    const test = await open();
    const raw = await test.sign(0, { nonce: 0, value: 1n });
    const { transaction } = await test.mine(raw);
    await setNonce(test, addresses[0]!, 0n);
    const { store } = test.chain;
    const { listMined } = store;
    store.listMined = async () => {
      store.listMined = listMined;
      return [];
    };
    const [again, other] = await Promise.all([
      test.chain.submit(raw),
      test.chain.submit(await test.sign(1, { nonce: 0 })),
    ]);
    expect(again).toBe(transaction.hash);
    expect(await test.chain.waitForTransaction(other, 120_000)).toMatchObject({ receipt: { status: 1 } });
    expect(test.chain.pool.findStatus(again)).toMatchObject({
      status: "dropped",
      reason: "already known: the transaction is already in a block",
    });
  });
});

describe("a transaction that cannot be committed", () => {
  it("is dropped with a reason, and the others are mined", async () => {
    const test = await open();
    const poison = await test.sign(3, { nonce: 0, value: 7n, maxPriorityFeePerGas: 10n ** 10n });
    let poisoned: Hash | undefined;
    const refused = refuseCommits(test, (hash) => hash === poisoned);
    // Builds no block before all the transactions are pending.
    test.chain.devControls!.setAutomatic(false);
    poisoned = await test.chain.submit(poison);
    const hashes: Hash[] = [];
    for (const account of [0, 1, 2, 4, 5]) hashes.push(await test.chain.submit(await test.sign(account, { nonce: 0 })));
    test.chain.devControls!.setAutomatic(true);
    const mined = await Promise.all(hashes.map((hash) => test.chain.waitForTransaction(hash, 120_000)));
    expect(mined.every((one) => one?.receipt.status === 1)).toBe(true);
    expect(test.chain.pool.findStatus(poisoned)).toMatchObject({
      status: "dropped",
      reason: "it could not be committed: the row is too long",
    });
    expect(refused()).toBeLessThan(12);
  });

  it("is dropped when blocks are mined manually while automatic mining is off", async () => {
    const test = await open();
    const { devControls } = test.chain;
    let poisoned: Hash | undefined;
    refuseCommits(test, (hash) => hash === poisoned);
    devControls!.setAutomatic(false);
    poisoned = await test.chain.submit(await test.sign(3, { nonce: 0, value: 7n }));
    const other = await test.chain.submit(await test.sign(0, { nonce: 0 }));
    // Mines two blocks. The first attempts find the bad transaction and drop it.
    await devControls!.mine(2, 1);
    expect(await test.chain.store.findTransaction(other)).toMatchObject({ receipt: { status: 1 } });
    expect(test.chain.pool.findStatus(poisoned)?.status).toBe("dropped");
  });
});

it("runs rewinds one after another even if they are requested at once", async () => {
  const test = await open();
  const { devControls } = test.chain;
  const first = await devControls!.snapshot();
  await test.mine(await test.sign(0, { nonce: 0 }));
  const second = await devControls!.snapshot();
  await devControls!.mine(2, 1);
  const answers = await Promise.all([devControls!.revert(first), devControls!.revert(second), devControls!.reset()]);
  expect(answers).toEqual([true, false, undefined]);
  expect(await test.mine(await test.sign(0, { nonce: 0 }))).toMatchObject({ blockNumber: 1 });
});

describe("a rewind of the store during which reads fail", () => {
  it("is noticed even if it does not remove the newest block", async () => {
    const test = await open();
    const { chain, errors } = test;
    const { store, devControls, pool } = chain;
    await test.mine(await test.sign(0, { nonce: 0 }));
    const snapshot = await devControls!.snapshot();
    await setNonce(test, addresses[1]!, 5n);
    const queued = await chain.submit(await test.sign(1, { nonce: 6 }));
    const { findHead } = store;
    store.findHead = () => {
      throw new Error("the disk went away");
    };
    await expect(devControls!.revert(snapshot)).rejects.toThrow("the disk went away");
    store.findHead = findHead;
    await expect.poll(() => pool.findStatus(queued)).toMatchObject({ status: "queued", missingNonce: 0n });
    expect(await test.mine(await test.sign(1, { nonce: 0 }))).toMatchObject({ blockNumber: 2 });
    expect((await store.listPool()).map(({ hash }) => hash)).toContain(queued);
    expect(new Set(errors.map(String))).toEqual(new Set(["Error: the disk went away"]));
  });

  it.each([
    ["at once", 1],
    ["by the next block", 2],
  ])("is noticed %s", async (_, failures) => {
    const test = await open();
    const { chain } = test;
    const snapshot = await chain.devControls!.snapshot();
    const raw = await test.sign(0, { nonce: 0 });
    await test.mine(raw);
    const { findChainVersion } = chain.store;
    let left = failures;
    chain.store.findChainVersion = () => {
      if (left-- === 0) {
        chain.store.findChainVersion = findChainVersion;
        return findChainVersion();
      }
      throw new Error("the disk went away");
    };
    const queued = await chain.submit(await test.sign(2, { nonce: 1 }));
    await expect(chain.devControls!.revert(snapshot)).rejects.toThrow("the disk went away");
    expect(chain.head().number).toBe(failures === 1 ? 0 : 1);
    expect(await test.mine(await test.sign(1, { nonce: 0 }))).toMatchObject({ blockNumber: 1 });
    // The pool is kept and written to the store again.
    expect(chain.pool.findStatus(queued)?.status).toBe("queued");
    expect((await chain.store.listPool()).map(({ hash }) => hash)).toContain(queued);
    expect(await test.mine(raw)).toMatchObject({ blockNumber: 2 });
  });
});
