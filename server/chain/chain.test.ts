/** Tests a chain with real signatures, SQLite and executor workers. */
import { setImmediate } from "node:timers/promises";
import { encodeDeployData, parseAbi, parseGwei, type TransactionSerializable } from "viem";
import { afterEach, describe, expect, it, vi } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import { createGenesis } from "@/server/chain/genesis";
import type { HeadEvent } from "@/server/chain/head";
import {
  addresses,
  embeddedSpec,
  network,
  openTestChain,
  removeFolder,
  type TestChain,
} from "@/server/chain/testing/testChain";
import { ChainClosedError, UnknownBlockError } from "@/server/ethereum/errors";
import type { Address, Hash } from "@/server/ethereum/types";
import type { Executor, Job } from "@/server/ports/executor";

const opened: TestChain[] = [];

async function open(options?: Parameters<typeof openTestChain>[0]): Promise<TestChain> {
  const test = await openTestChain(options);
  opened.push(test);
  return test;
}

afterEach(async () => {
  vi.useRealTimers();
  for (const test of opened.splice(0)) {
    await test.close();
    removeFolder(test.folder);
  }
});

/** The real executor, except that it fails the jobs selected by `shouldFail`. */
function failing(executor: Executor, shouldFail: (job: Job) => boolean): Executor {
  return {
    ...executor,
    run: (job, options) =>
      shouldFail(job) ? Promise.reject(new Error("the worker died")) : executor.run(job, options),
  };
}

/** The real executor, except that it calls `begin` before each of these blocks and then waits until it is released. */
function held(blocks: readonly { begin(): void; released: Promise<void> }[]): (executor: Executor) => Executor {
  let count = 0;
  return (executor) => ({
    ...executor,
    async run(job, options) {
      if (job.kind === "executeBlock") {
        const block = blocks[count++];
        block?.begin();
        await block?.released;
      }
      return executor.run(job, options);
    },
  });
}

const transfersOf = async (test: TestChain, account: number, nonces: number[]) =>
  Promise.all(nonces.map((nonce) => test.sign(account, { nonce, value: 1n })));

describe("genesis", () => {
  it("is the same on every open and funds the accounts", async () => {
    const [one, two] = [await open(), await open()];
    expect(one.chain.genesisHash).toBe(two.chain.genesisHash);
    const funded = await one.chain.store.findAccount(addresses[0]!, 0);
    expect(funded).toMatchObject({ nonce: 0n, balance: 10_000n * 10n ** 18n });
    const header = one.chain.head();
    expect(header).toMatchObject({
      number: 0,
      gasLimit: 150_000_000n,
      baseFeePerGas: 10n ** 9n,
      timestamp: 1_767_225_600,
    });
  });
});

describe("transactions", () => {
  it("mines a transfer and notifies listeners at once", async () => {
    const { chain, sign, mine } = await open();
    const events: HeadEvent[] = [];
    chain.onHead((event) => events.push(event));
    const { transaction, receipt, blockNumber } = await mine(await sign(0, { nonce: 0, to: addresses[1], value: 5n }));
    expect(receipt).toMatchObject({ status: 1, gasUsed: 21_000n });
    expect(blockNumber).toBe(1);
    expect(chain.head().hash).toBe(events[0]?.block.header.hash);
    expect(chain.pool.findStatus(transaction.hash)?.status).toBe("mined");
    expect(await chain.store.findTransaction(transaction.hash)).toMatchObject({ blockNumber: 1, index: 0 });
    expect((await chain.store.findAccount(addresses[1]!, 1))?.balance).toBe(10_000n * 10n ** 18n + 5n);
    const listed = await chain.store.listAddressTransactions(addresses[1]!, { limit: 5 });
    expect(listed.map((mined) => mined.transaction.hash)).toEqual([transaction.hash]);
  });

  it("stores an awaited transaction with its block, or in the pool if no block includes it", async () => {
    const { chain, sign } = await open();
    const { putPool } = chain.store;
    let puts = 0;
    chain.store.putPool = (records) => {
      puts++;
      return putPool(records);
    };
    const send = async (nonce: number) => {
      const hash = await chain.submit(await sign(0, { nonce }), { isAwaited: true });
      await chain.awaitBlock(hash);
      return hash;
    };
    const mined = await send(0);
    expect(puts).toBe(0);
    expect(await chain.store.listPool()).toEqual([]);
    expect((await chain.store.findTransaction(mined))?.blockNumber).toBe(1);
    const queued = await send(2);
    expect(puts).toBe(1);
    expect(await chain.store.listPool()).toMatchObject([{ hash: queued, status: "queued" }]);
  });

  it("acknowledges an awaited transaction after its block, however long that block and the one before take", async () => {
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const released = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const blocks = begun.map(({ resolve }, index) => ({ begin: resolve, released: released[index]!.promise }));
    const { chain, sign } = await open({ wrap: held(blocks) });
    const raws = [await sign(0, { nonce: 0 }), await sign(1, { nonce: 0 })];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await chain.submit(raws[0]!, { isAwaited: true });
    await begun[0]!.promise;
    const hash = await chain.submit(raws[1]!, { isAwaited: true });
    let isAcknowledged = false;
    const acknowledged = chain.awaitBlock(hash).then(() => {
      isAcknowledged = true;
    });
    await vi.advanceTimersByTimeAsync(600_000);
    released[0]!.resolve();
    await begun[1]!.promise;
    await setImmediate();
    const isEarly = isAcknowledged;
    released[1]!.resolve();
    await acknowledged;
    expect(isEarly).toBe(false);
    expect((await chain.store.findTransaction(hash))?.blockNumber).toBe(2);
  });

  it("acknowledges an awaited transaction while blocks fail, once the pool has stored it", async () => {
    const test = await open({ wrap: (executor) => failing(executor, ({ kind }) => kind === "executeBlock") });
    const { chain, sign, errors } = test;
    const raw = await sign(0, { nonce: 0 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const hash = await chain.submit(raw, { isAwaited: true });
    const acknowledged = chain.awaitBlock(hash);
    while (errors.length === 0) await setImmediate();
    await vi.advanceTimersByTimeAsync(600_000);
    await acknowledged;
    expect(await chain.store.listPool()).toMatchObject([{ hash, status: "pending" }]);
  });

  it("rejects an awaited transaction that neither a block nor the pool could store", async () => {
    const { chain, sign } = await open({ isDeveloped: true });
    chain.devControls!.setAutomatic(false);
    const { putPool } = chain.store;
    chain.store.putPool = () => Promise.reject(new Error("the disk is full"));
    const hash = await chain.submit(await sign(0, { nonce: 0 }), { isAwaited: true });
    await expect(chain.awaitBlock(hash)).rejects.toThrow("the disk is full");
    expect(chain.pool.findTransaction(hash)).toBeUndefined();
    chain.store.putPool = putPool;
  });

  it("deploys a contract and returns its address", async () => {
    const { chain, sign, mine } = await open();
    // Init code that returns three bytes of runtime code: PUSH0 PUSH0 REVERT ("5f5ffd").
    const data = encodeDeployData({ abi: parseAbi(["constructor()"]), bytecode: "0x625f5ffd5f526003601df3" });
    const { receipt } = await mine(
      await sign(0, { nonce: 0, to: null, data, gas: 100_000n } as Partial<TransactionSerializable> & {
        nonce: number;
      }),
    );
    expect(receipt.status).toBe(1);
    const account = await chain.store.findAccount(receipt.contractAddress!, 1);
    expect(await chain.store.findCode(account!.codeHash)).toEqual(Uint8Array.of(0x5f, 0x5f, 0xfd));
    // A call to the contract reverts, but its transaction is mined, pays the fee and has status 0.
    const called = await mine(await sign(0, { nonce: 1, to: receipt.contractAddress!, gas: 50_000n }));
    expect(called.receipt.status).toBe(0);
  });

  it("mines transactions that are submitted together in one block, ordered by tip and nonce", async () => {
    const { chain, sign } = await open();
    const raws = [
      await sign(0, { nonce: 0, maxPriorityFeePerGas: parseGwei("1") } as never),
      await sign(0, { nonce: 1, maxPriorityFeePerGas: parseGwei("1") } as never),
      await sign(1, { nonce: 0, maxPriorityFeePerGas: parseGwei("3") } as never),
      await sign(2, { nonce: 0, maxPriorityFeePerGas: parseGwei("2") } as never),
    ];
    const hashes = await Promise.all(raws.map((raw) => chain.submit(raw)));
    const mined = await Promise.all(hashes.map((hash) => chain.waitForTransaction(hash, 120_000)));
    expect(mined.map((one) => [one?.blockNumber, one?.index])).toEqual([
      [1, 2],
      [1, 3],
      [1, 0],
      [1, 1],
    ]);
  });

  it("mines queued transactions once the missing nonce arrives, and a replacement instead of the original", async () => {
    const { chain, sign, mine } = await open();
    const [zero, two] = [await sign(0, { nonce: 0 }), await sign(0, { nonce: 2 })];
    const late = await chain.submit(two);
    await mine(zero);
    expect(chain.pool.findStatus(late)).toMatchObject({ status: "queued", missingNonce: 1n });
    const better = await sign(0, {
      nonce: 2,
      maxFeePerGas: 2n * 10n ** 11n,
      maxPriorityFeePerGas: 2n * 10n ** 9n,
    } as never);
    const replacement = await chain.submit(better);
    expect(chain.pool.findStatus(late)?.status).toBe("replaced");
    await mine(await sign(0, { nonce: 1 }));
    expect(await chain.waitForTransaction(replacement, 120_000)).toMatchObject({ receipt: { status: 1 } });
    expect(await chain.store.findTransaction(late)).toBeUndefined();
  });

  it("lets an account spend its balance to the last wei, but no more", async () => {
    const { chain, sign, mine } = await open();
    const everything = 10_000n * 10n ** 18n;
    const [poor] = addresses.slice(8);
    await mine(await sign(0, { nonce: 0, to: poor, value: 1n }));
    const cost = 21_000n * 10n ** 11n;
    const spending = await sign(8, { nonce: 0, value: everything + 1n - cost });
    await expect(chain.submit(await sign(8, { nonce: 0, value: everything + 2n - cost }))).rejects.toThrow(
      /^insufficient funds/,
    );
    await mine(spending);
    await expect(chain.submit(await sign(8, { nonce: 1 }))).rejects.toThrow(/^insufficient funds/);
  });

  it("returns a mined transaction at once, and undefined if the wait times out", async () => {
    const { chain, sign, mine } = await open();
    const { transaction } = await mine(await sign(0, { nonce: 0 }));
    expect(await chain.waitForTransaction(transaction.hash, 1)).toMatchObject({ blockNumber: 1 });
    expect(await chain.waitForTransaction(`0x${"99".repeat(32)}`, 5)).toBeUndefined();
  });
});

describe("block references", () => {
  it("resolves tags (with the configured finality lag), numbers and hashes, and rejects unknown blocks", async () => {
    const { chain, sign, mine } = await open({ spec: { ...embeddedSpec, finalityLag: { safe: 1, finalized: 2 } } });
    for (const nonce of [0, 1, 2]) await mine(await sign(0, { nonce }));
    const numbers = (["latest", "pending", "safe", "finalized", "earliest"] as const).map((tag) =>
      chain.resolve({ tag }),
    );
    expect(numbers).toEqual([3, 3, 2, 1, 0]);
    expect(chain.getHeader({ number: 3 })).toBe(chain.head());
    const header = await chain.getHeader({ number: 2 });
    expect(await chain.resolve({ hash: header.hash, requireCanonical: true })).toBe(2);
    await expect(async () => chain.resolve({ number: 4 })).rejects.toThrow(UnknownBlockError);
    await expect(async () => chain.getHeader({ hash: `0x${"01".repeat(32)}` })).rejects.toThrow(UnknownBlockError);
  });
});

describe("the next block's environment", () => {
  it("is the same object until the clock or the head moves, because a block's rules are cached by it", async () => {
    let now = 2_000_000_000_000;
    const { chain, sign, mine } = await open({ now: () => now });
    const first = chain.nextEnv();
    expect(chain.nextEnv()).toBe(first);
    now += 1_000;
    const later = chain.nextEnv();
    expect(later).toEqual({ ...first, timestamp: first.timestamp + 1 });
    expect(chain.nextEnv()).toBe(later);
    await mine(await sign(0, { nonce: 0 }));
    expect(chain.nextEnv().number).toBe(first.number + 1);
  });
});

describe("the base fee", () => {
  it("rises after a full block, and falls with each empty block while a transaction waits for a lower fee", async () => {
    const genesis = { ...createGenesis(network, embeddedSpec), gasLimit: 42_000n };
    const { chain, sign } = await open({ genesis });
    const atFirst = chain.nextEnv().baseFeePerGas!;
    const low = { maxFeePerGas: atFirst, maxPriorityFeePerGas: 0n };
    const raws = [
      await sign(0, { nonce: 0 }),
      await sign(1, { nonce: 0 }),
      await sign(2, { nonce: 0, ...low } as never),
    ];
    const hashes = await Promise.all(raws.map((raw) => chain.submit(raw)));
    const mined = await Promise.all(hashes.map((hash) => chain.waitForTransaction(hash, 120_000)));
    expect(mined.map((one) => one?.blockNumber)).toEqual([1, 1, 3]);
    const fees = await Promise.all([1, 2, 3].map(async (number) => (await chain.getHeader({ number })).baseFeePerGas));
    expect(fees).toEqual([atFirst, (atFirst * 9n) / 8n, (((atFirst * 9n) / 8n) * 7n) / 8n]);
    await expect(
      chain.submit(await sign(2, { nonce: 1, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n } as never)),
    ).rejects.toThrow(/^max fee per gas less than block base fee/);
  });
});

describe("a block time", () => {
  it("holds transactions until it has passed, then mines them in one block", async () => {
    let nowMs = Date.parse("2026-06-01T00:00:00Z");
    const blockTimeMs = 400;
    const { chain, mine, sign } = await open({ spec: { ...embeddedSpec, blockTimeMs }, now: () => nowMs });
    await mine(await sign(0, { nonce: 0 }));
    const held = await chain.submit(await sign(0, { nonce: 1 }));
    expect(await chain.waitForTransaction(held, 100)).toBeUndefined();
    nowMs += blockTimeMs;
    const last = await mine(await sign(1, { nonce: 0 }));
    expect(last.blockNumber).toBe(2);
    expect((await chain.store.findTransaction(held))?.blockNumber).toBe(2);
  });
});

describe("executing a block", () => {
  it("is retried after a failure, without losing transactions", async () => {
    let failures = 2;
    const test = await open({
      wrap: (executor) => failing(executor, (job) => job.kind === "executeBlock" && failures-- > 0),
    });
    const { blockNumber } = await test.mine(await test.sign(0, { nonce: 0 }));
    expect(blockNumber).toBe(1);
    expect(test.errors).toHaveLength(2);
  });

  it("drops a transaction that cannot be executed, and mines the others", async () => {
    let poison: Uint8Array = new Uint8Array();
    const test = await open({
      wrap: (executor) =>
        failing(
          executor,
          (job) => job.kind === "executeBlock" && job.transactions.some(({ raw }) => Buffer.compare(raw, poison) === 0),
        ),
    });
    const { chain, sign } = test;
    poison = await sign(3, { nonce: 0, value: 7n });
    const good = await Promise.all([0, 1, 2, 4, 5].map((account) => sign(account, { nonce: 0 })));
    const hashes = await Promise.all([...good, poison].map((raw) => chain.submit(raw)));
    const mined = await Promise.all(hashes.slice(0, -1).map((hash) => chain.waitForTransaction(hash, 120_000)));
    expect(mined.every((one) => one?.receipt.status === 1)).toBe(true);
    const poisoned = hashes.at(-1)!;
    await expect
      .poll(() => chain.pool.findStatus(poisoned))
      .toMatchObject({
        status: "dropped",
        reason: "it could not be executed: the worker died",
      });
  });
});

describe("a failure that no transaction caused", () => {
  it("loses no transaction while the store rejects blocks, and all are mined once it recovers", async () => {
    const test = await open();
    const { chain, sign, errors } = test;
    const commit = chain.store.commit;
    chain.store.commit = () => {
      throw new Error("the disk is full");
    };
    const hash = await chain.submit(await sign(0, { nonce: 0 }));
    await expect.poll(() => errors.length).toBeGreaterThanOrEqual(4);
    expect(chain.pool.findStatus(hash)?.status).toBe("pending");
    expect(chain.head().number).toBe(0);
    chain.store.commit = commit;
    // The transaction is in block 1, or in block 2 if an empty block was tried first.
    expect(await chain.waitForTransaction(hash, 120_000)).toMatchObject({ receipt: { status: 1 } });
  });

  it("loses no transaction if the store recovers just before the transaction would be blamed", async () => {
    const { chain, sign } = await open();
    const commit = chain.store.commit;
    // Rejects every block that contains a transaction. When the first empty block is stored, the store works again.
    chain.store.commit = (block) => {
      if (block.block.transactions.length > 0) throw new Error("the disk is full");
      chain.store.commit = commit;
      return commit(block);
    };
    const hash = await chain.submit(await sign(0, { nonce: 0 }));
    expect(await chain.waitForTransaction(hash, 120_000)).toMatchObject({ receipt: { status: 1 } });
  });

  it("does not stop the chain if it is in a listener", async () => {
    const test = await open();
    const fail = () => {
      throw new Error("a listener failed");
    };
    test.chain.onHead(fail);
    test.chain.pool.onChange(fail);
    const mined = await test.mine(await test.sign(0, { nonce: 0 }));
    expect(mined.blockNumber).toBe(1);
    expect(test.chain.pool.findStatus(mined.transaction.hash)?.status).toBe("mined");
    expect(test.errors.length).toBeGreaterThan(0);
  });
});

describe("a restart", () => {
  it("restores the head, state and pool, and keeps mining", async () => {
    const first = await openTestChain();
    const { folder } = first;
    const { transaction } = await first.mine(await first.sign(0, { nonce: 0 }));
    const queued = await first.chain.submit(await first.sign(1, { nonce: 1 }));
    const head = first.chain.head();
    await first.close();
    await expect(first.chain.submit(await first.sign(2, { nonce: 0 }))).rejects.toThrow(ChainClosedError);

    const second = await open({ folder });
    expect(second.chain.head()).toEqual(head);
    expect(second.chain.pool.findStatus(queued)).toMatchObject({ status: "queued", missingNonce: 0n });
    expect(second.chain.pool.findStatus(transaction.hash)).toBeUndefined();
    expect((await second.chain.store.findTransaction(transaction.hash))?.blockNumber).toBe(1);
    await second.mine(await second.sign(1, { nonce: 0 }));
    expect(await second.chain.waitForTransaction(queued, 120_000)).toMatchObject({ receipt: { status: 1 } });
    expect(second.chain.head().number).toBeGreaterThan(head.number);
  });

  it("mines transactions that were accepted but not yet mined", async () => {
    const first = await openTestChain({
      wrap: (executor) => failing(executor, (job) => job.kind === "executeBlock"),
    });
    const hashes: Hash[] = [];
    for (const raw of await transfersOf(first, 0, [0, 1, 2])) hashes.push(await first.chain.submit(raw));
    await first.close();
    const second = await open({ folder: first.folder });
    const mined = await Promise.all(hashes.map((hash) => second.chain.waitForTransaction(hash, 120_000)));
    expect(mined.map((one) => one?.transaction.nonce)).toEqual([0n, 1n, 2n]);
  });

  it("rejects a store that belongs to another chain or genesis", async () => {
    const first = await openTestChain();
    await first.close();
    const other = { ...embeddedSpec, chainId: 1 };
    await expect(openTestChain({ folder: first.folder, spec: other })).rejects.toThrow(/chain/);
    // Simulates a genesis from an earlier version, which has the same contracts with different code.
    const genesis = createGenesis(network, embeddedSpec);
    genesis.alloc[canonicalContracts.multicall3.toLowerCase() as Address]!.code = "0x00";
    await expect(openTestChain({ folder: first.folder, genesis })).rejects.toThrow(
      /a different genesis block \(0x\w{64}, not 0x\w{64}\); use the version and settings that created it, or choose/,
    );
    removeFolder(first.folder);
  });
});
