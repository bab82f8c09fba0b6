/**
 * Tests that a chain mines the next transaction no matter what dev controls do to the chain. One test resends the same
 * transaction in every possible way; another makes hundreds of random edits, sends, reverts, resets and store failures.
 * For a longer run, set the number of rounds: `LIVENESS_ROUNDS=2000 npx vitest run chainLiveness`.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { executeAgain } from "@/server/chain/executeAgain";
import type { Hex } from "@/server/ethereum/types";
import { log } from "@/server/log/log";
import { developer } from "@/server/rpc/testing/fixedChain";
import { createRandom } from "@/server/rpc/testing/malformed";
import { createRandomControls } from "@/server/rpc/testing/randomControls";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  // Every store failure is logged, and these tests cause many, so the log is silenced.
  vi.spyOn(log, "error").mockImplementation(() => undefined);
  node = await createTestNode({ isDeveloped: true, onError: () => undefined });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await node?.close();
});

const ask = (method: string, ...params: unknown[]) => node.request({ method, params } as never) as Promise<unknown>;
const address = (index: number) => developer(index).address.toLowerCase() as Hex;
const fees = { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 10n ** 9n };

let sent = 0;
/** Each transfer sends one wei more than the previous one, so that no two transfers are identical. */
async function signTransfer(index: number, nonce: number): Promise<Hex> {
  const { chainId } = node.network;
  const transfer = { chainId, type: "eip1559", to: address(9), gas: 21_000n, ...fees, nonce } as const;
  return developer(index).signTransaction({ ...transfer, value: BigInt(++sent) });
}

/** Sends a new transaction from the account, and throws if it isn't mined. */
async function assertMines(index: number): Promise<void> {
  const nonce = Number(await ask("eth_getTransactionCount", address(index), "latest"));
  const hash = (await ask("eth_sendRawTransaction", await signTransfer(index, nonce))) as Hex;
  if (!(await ask("anvil_getAutomine"))) await ask("evm_mine");
  const mined = await node.chain.waitForTransaction(hash, 120_000);
  expect(mined?.receipt.status, JSON.stringify(await ask("txpool_statusByHash", hash))).toBe(1);
}

describe("a transaction resent after its nonce was reset", () => {
  const call = {
    from: address(2),
    to: address(9),
    value: "0x1",
    gas: "0x5208",
    nonce: "0x0",
    maxFeePerGas: "0x174876e800",
    maxPriorityFeePerGas: "0x3b9aca00",
  };
  const rawOf = () =>
    developer(2).signTransaction({
      chainId: node.network.chainId,
      type: "eip1559",
      to: address(9),
      gas: 21_000n,
      ...fees,
      nonce: 0,
      value: 3n,
    });
  const ways: [string, () => Promise<unknown>][] = [
    ["eth_sendRawTransaction", async () => ask("eth_sendRawTransaction", await rawOf())],
    ["eth_sendRawTransactionSync", async () => ask("eth_sendRawTransactionSync", await rawOf())],
    ["eth_sendTransaction from a developer account", () => ask("eth_sendTransaction", call)],
    [
      "eth_sendTransaction from an impersonated account",
      async () => {
        await ask("anvil_impersonateAccount", address(2));
        return ask("eth_sendTransaction", call).finally(() => ask("anvil_stopImpersonatingAccount", address(2)));
      },
    ],
    ["eth_sendUnsignedTransaction", () => ask("eth_sendUnsignedTransaction", { ...call, value: "0x4" })],
  ];

  it.each(ways)("is already known, does no harm, and is mined again after evm_revert (%s)", async (_, send) => {
    await ask("anvil_reset");
    const snapshot = await ask("evm_snapshot");
    const sendMined = async () => {
      const answer = await send();
      const hash = typeof answer === "string" ? answer : (answer as { transactionHash: string }).transactionHash;
      expect(await node.chain.waitForTransaction(hash as Hex, 120_000)).toBeDefined();
      return hash;
    };
    const hash = await sendMined();
    await ask("anvil_setNonce", address(2), "0x0");
    await expect(send()).rejects.toMatchObject({ code: -32000, message: `already known: ${hash}` });
    await assertMines(3);
    await assertMines(2);
    expect(await ask("evm_revert", snapshot)).toBe(true);
    expect(await sendMined()).toBe(hash);
    await assertMines(3);
  });
});

/**
 * Checks that every transaction in the pool is also in the database, that none has been mined, and that each sender's
 * pending nonces are consecutive.
 */
async function assertPool(): Promise<void> {
  const { store, pool, head } = node.chain;
  const present = pool.list();
  const hashes = present.map(({ record }) => record.hash);
  const stored = new Set((await store.listPool()).map(({ hash }) => hash));
  expect(hashes.filter((hash) => !stored.has(hash))).toEqual([]);
  expect(await store.listMined(hashes)).toEqual([]);
  const pending = present.filter(({ record }) => record.status === "pending");
  expect(pool.counts()).toEqual({ pending: pending.length, queued: present.length - pending.length });
  for (const sender of new Set(present.map(({ transaction }) => transaction.from))) {
    const nonces = pending.filter(({ transaction }) => transaction.from === sender).map(({ record }) => record.nonce);
    const first = (await store.findAccount(sender, head().number))?.nonce ?? 0n;
    expect(nonces.sort((a, b) => Number(a - b))).toEqual(nonces.map((_, index) => first + BigInt(index)));
    expect(pool.nextNonce(sender)).toBe(nonces.length > 0 ? first + BigInt(nonces.length) : undefined);
  }
}

/**
 * Checks that blocks are linked, that no transaction appears twice, that each sender's nonces are in order, and that
 * executing the blocks again gives the same result.
 */
async function assertChain(): Promise<void> {
  const { store, spec, executor, head } = node.chain;
  const known = new Set<Hex>();
  let parent = (await store.findHeader(0))!;
  for (let number = 1; number <= head().number; number++) {
    const block = (await store.findBlock(number))!;
    const receipts = (await store.findReceipts(number))!;
    expect(block.header).toMatchObject({ number, parentHash: parent.hash });
    expect(block.header.timestamp).toBeGreaterThanOrEqual(parent.timestamp);
    expect(receipts).toHaveLength(block.transactions.length);
    const next = new Map<Hex, bigint>();
    for (const { hash, from, nonce } of block.transactions) {
      expect(known.has(hash)).toBe(false);
      known.add(hash);
      expect(nonce).toBe(next.get(from) ?? nonce);
      next.set(from, nonce + 1n);
    }
    const { receiptsRoot, stateRoot } = await executeAgain({ spec, executor }, parent, block);
    expect({ receiptsRoot, stateRoot }).toEqual({
      receiptsRoot: block.header.receiptsRoot,
      stateRoot: block.header.stateRoot,
    });
    parent = block.header;
  }
  expect(head().hash).toBe(parent.hash);
}

const rounds = Number(process.env.LIVENESS_ROUNDS ?? 60);

it.each([1, 29, 4_711])(
  "mines the next transaction after random steps, and stays consistent (seed %i)",
  async (seed) => {
    await ask("anvil_reset");
    const random = createRandom(seed);
    const { step, stopFaults } = createRandomControls(node, random);
    for (let round = 1; round <= rounds; round++) {
      // Runs steps concurrently, so that they interleave.
      await Promise.all(Array.from({ length: 1 + random.int(4) }, step));
      stopFaults();
      await assertMines(8);
      await assertPool();
      if (round % 20 === 0) await assertChain();
    }
  },
);
