/**
 * Tests what senders learn about their transactions: from eth_sendRawTransactionSync while no block is mined, and from
 * the transaction's status, even after a restart.
 */
import { afterEach, describe, expect, it } from "vitest";
import { createGenesis } from "@/server/chain/genesis";
import {
  addresses,
  embeddedSpec,
  network,
  openTestChain,
  removeFolder,
  type TestChain,
} from "@/server/chain/testing/testChain";
import { loadConfig } from "@/server/config/config";
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { Genesis, Hex } from "@/server/ethereum/types";
import type { Executor, Job, JobResult } from "@/server/ports/executor";
import { createDispatcher } from "@/server/rpc/dispatch";
import { createEmbeddedNetwork } from "@/server/rpc/embeddedNetwork";

const { limits } = loadConfig({}, "/");
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Returns a function that calls the chain's JSON-RPC methods and rejects with the error object. */
function serve(test: TestChain) {
  const served = createEmbeddedNetwork({
    network,
    chain: test.chain,
    limits,
    faucet: undefined,
    areScriptsAllowed: false,
    names: () => [],
    resources: () => [],
  });
  const dispatcher = createDispatcher(served);
  closers.push(() => dispatcher.close());
  return (method: string, ...params: unknown[]) => dispatcher.call(method, params, {});
}

describe("eth_sendRawTransactionSync", () => {
  /** Opens a chain that builds no blocks until the test releases them. */
  async function openHeld() {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wrap = (executor: Executor): Executor => ({
      ...executor,
      async run<J extends Job>(job: J, options?: { timeoutMs?: number }): Promise<JobResult<J>> {
        if (job.kind === "executeBlock") await released;
        return executor.run(job, options);
      },
    });
    const test = await openTestChain({ wrap });
    closers.push(async () => {
      release();
      await test.close();
      removeFolder(test.folder);
    });
    return { test, ask: serve(test), release };
  }

  it("returns EIP-7966's timeout error with the hash, and leaves the transaction in the pool", async () => {
    const { test, ask, release } = await openHeld();
    const timeouts: [unknown, number][] = [
      [1, 1],
      [25, 25],
      ["0x14", 20],
      // The timeout is out of range, so the node's default applies (EIP-7966).
      [10_001, 2_000],
      [0, 2_000],
    ];
    const hashes = await Promise.all(
      timeouts.map(async ([timeout, ms], nonce) => {
        const raw = toHex(await test.sign(0, { nonce }));
        const error = await ask("eth_sendRawTransactionSync", raw, timeout).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          code: 4,
          message: expect.stringContaining(`within ${ms} ms`),
          data: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
        });
        const { hash } = (error as { data: { hash: Hex } }).data;
        expect(await ask("txpool_statusByHash", hash)).toEqual({ status: "pending" });
        return hash;
      }),
    );
    release();
    for (const hash of hashes) {
      expect(await test.chain.waitForTransaction(hash, 120_000)).toMatchObject({ receipt: { status: 1 } });
    }
  });

  it("returns the reason as soon as the transaction is dropped for running too long", async () => {
    const { transactionGasCap: _, ...spec } = embeddedSpec;
    const endless = `0x${"c0".repeat(20)}` as const;
    const { alloc, ...start } = createGenesis(network, spec);
    // JUMPDEST, PUSH1 0, JUMP
    const genesis = {
      ...start,
      gasLimit: 10n ** 12n,
      alloc: { ...alloc, [endless]: { balance: 0n, code: "0x5b600056" } },
    };
    const test = await openTestChain({ spec, genesis: genesis as Genesis, limits: { buildTimeMs: 200 } });
    closers.push(async () => {
      await test.close();
      removeFolder(test.folder);
    });
    const ask = serve(test);
    // Mining this transaction makes sure that the worker has started.
    await test.mine(await test.sign(1, { nonce: 0 }));
    const raw = toHex(await test.sign(0, { nonce: 0, to: endless, gas: 10n ** 10n }));
    const reason =
      "it ran longer than 100 ms, half of the time limit for building a block (TOLLSCAN_LIMIT_BUILD_TIME_MS)";
    await expect(ask("eth_sendRawTransactionSync", raw, 10_000)).rejects.toMatchObject({
      code: -32000,
      message: `transaction dropped: ${reason}`,
    });
    expect(await ask("txpool_statusByHash", keccakHex(toBytes(raw)))).toEqual({ status: "dropped", reason });
  });

  it.each([["-1"], [-1], [1.5], ["0x"], ["0x01"], ["12"], [{}], ["0x10000000000000000"]])(
    "rejects the timeout %j before submitting",
    async (timeout) => {
      const { test, ask } = await openHeld();
      const raw = toHex(await test.sign(0, { nonce: 0 }));
      await expect(ask("eth_sendRawTransactionSync", raw, timeout)).rejects.toMatchObject({
        code: -32602,
        data: { argument: 1 },
      });
      expect(test.chain.pool.list()).toEqual([]);
    },
  );
});

it("remembers every transaction's status and reason for 15 minutes and across a restart", async () => {
  const clock = { ms: Date.now() };
  const now = () => clock.ms;
  const pool = { lifetimeMs: 60 * 60_000, transactions: 3 };
  const first = await openTestChain({ now, pool });
  const { folder } = first;
  closers.push(() => removeFolder(folder));
  const ask = serve(first);
  const send = async (account: number, nonce: number, gwei: bigint) =>
    (await ask(
      "eth_sendRawTransaction",
      toHex(
        await first.sign(account, {
          nonce,
          maxFeePerGas: gwei * 10n ** 9n,
          maxPriorityFeePerGas: gwei * 10n ** 9n,
        } as never),
      ),
    )) as Hex;
  const mined = (await first.mine(await first.sign(0, { nonce: 0 }))).transaction.hash;
  const replaced = await send(1, 3, 10n);
  const replacement = await send(1, 3, 20n);
  const dropped = await send(2, 4, 5n);
  const queued = await send(3, 2, 10n);
  // The pool has room for three transactions.
  await send(4, 1, 30n);

  const hashes = { mined, replaced, replacement, dropped, queued };
  const read = async (from: (method: string, ...params: unknown[]) => Promise<unknown>) => ({
    ...Object.fromEntries(
      await Promise.all(
        Object.entries(hashes).map(async ([name, hash]) => [name, await from("txpool_statusByHash", hash)] as const),
      ),
    ),
    ofAccount: await from("txpool_statusByAddress", addresses[1]),
  });
  const before = await read(ask);
  expect(before).toMatchObject({
    mined: { status: "mined" },
    replaced: { status: "replaced", reason: `replaced by ${replacement}` },
    replacement: { status: "queued", reason: "waiting for a transaction with nonce 0" },
    dropped: { status: "dropped", reason: "evicted: the pool was full and this was the cheapest" },
    queued: { status: "queued", reason: "waiting for a transaction with nonce 0" },
    ofAccount: { "0x3": { status: "queued", hash: replacement } },
  });
  await first.close();

  clock.ms += 14 * 60_000;
  const second = await openTestChain({ folder, now, pool });
  expect(await read(serve(second))).toEqual(before);
  await second.close();

  // After an hour, pending transactions have expired, and the node has forgotten the transactions that were removed
  // earlier.
  clock.ms += 50 * 60_000;
  const third = await openTestChain({ folder, now, pool });
  const later = serve(third);
  expect(await read(later)).toMatchObject({
    mined: { status: "mined" },
    replaced: { status: "unknown" },
    replacement: { status: "expired", reason: "not included within 60 minutes" },
    queued: { status: "expired", reason: "not included within 60 minutes" },
  });
  await third.close();
  clock.ms += 16 * 60_000;
  const fourth = await openTestChain({ folder, now, pool });
  closers.push(() => fourth.close());
  expect(await read(serve(fourth))).toMatchObject({
    mined: { status: "mined" },
    replacement: { status: "unknown" },
    queued: { status: "unknown" },
    ofAccount: {},
  });
});
