/**
 * Tests the time limit for building a block: slow transactions are dropped with a reason, the other transactions are
 * mined, and closing the chain never waits for a slow transaction.
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
import type { Address, Hash, Hex } from "@/server/ethereum/types";

const opened: TestChain[] = [];
afterEach(async () => {
  for (const test of opened.splice(0)) {
    await test.close();
    removeFolder(test.folder);
  }
});

const contract: Address = `0x${"c0".repeat(20)}`;
/** Enough gas to keep any code running for minutes. */
const endlessGas = 10n ** 11n;
/** JUMPDEST, PUSH1 0, JUMP */
const jumps: Hex = "0x5b600056";
/** Loops forever too, and calls BLS12_MAP_FP2_TO_G2 with zeros in each round. */
const precompileCalls: Hex = "0x5b60006000608060006011_5afa50_600056".replaceAll("_", "") as Hex;

async function open(buildTimeMs: number, folder?: string): Promise<TestChain> {
  const { transactionGasCap: _, ...spec } = embeddedSpec;
  const genesis = { ...createGenesis(network, spec), gasLimit: 10n ** 12n };
  const limits = { buildTimeMs };
  const test = await openTestChain({ isDeveloped: true, spec, genesis, limits, ...(folder && { folder }) });
  opened.push(test);
  return test;
}

/** Puts the code at the contract's address and sends a call to it, with a higher fee than any transfer. */
async function sendEndless(test: TestChain, account: number, code: Hex): Promise<Hash> {
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 2n * 10n ** 9n };
  await test.chain.devControls!.edit([{ address: contract, code }]);
  return test.chain.submit(await test.sign(account, { nonce: 0, to: contract, gas: endlessGas, ...fees }));
}

describe("a transaction that runs longer than half of the block's time limit", () => {
  it.each([
    ["a loop", jumps],
    ["a loop of precompile calls", precompileCalls],
  ])("is dropped with a reason and has no effect, and the others are mined (%s)", async (_, code) => {
    const test = await open(2_000);
    const { chain, sign } = test;
    const before = await chain.store.findAccount(addresses[0]!, 0);
    chain.devControls!.setAutomatic(false);
    const endless = await sendEndless(test, 0, code);
    const others = [await chain.submit(await sign(1, { nonce: 0 })), await chain.submit(await sign(2, { nonce: 0 }))];
    chain.devControls!.setAutomatic(true);
    for (const hash of others) {
      expect(await chain.waitForTransaction(hash, 120_000)).toMatchObject({ receipt: { status: 1 } });
    }
    expect(chain.pool.findStatus(endless)).toMatchObject({
      status: "dropped",
      reason: "it ran longer than 1000 ms, half of the time limit for building a block (TOLLSCAN_LIMIT_BUILD_TIME_MS)",
    });
    expect(await chain.store.findAccount(addresses[0]!, chain.head().number)).toEqual(before);
    // Only the transaction was dropped. Its sender can use the nonce again.
    expect(await test.mine(await sign(0, { nonce: 0 }))).toMatchObject({ receipt: { status: 1 } });
    expect(test.errors).toEqual([]);
  });

  it("doesn't keep others out of its block", async () => {
    const test = await open(4_000);
    const { chain } = test;
    chain.devControls!.setAutomatic(false);
    const endless = await sendEndless(test, 0, jumps);
    const other = await chain.submit(await test.sign(1, { nonce: 0 }));
    await chain.devControls!.mine(1, 1);
    expect(chain.pool.findStatus(endless)?.status).toBe("dropped");
    expect(await chain.store.findTransaction(other)).toMatchObject({ blockNumber: 1 });
  });

  it("is the only one that is stopped in its block, which still includes brief transactions of others", async () => {
    const test = await open(1_000);
    const { chain, sign } = test;
    chain.devControls!.setAutomatic(false);
    const endless: Hash[] = [];
    for (const account of [0, 1, 2]) endless.push(await sendEndless(test, account, jumps));
    for (const block of [1, 2, 3]) {
      const other = await chain.submit(await sign(3, { nonce: block - 1 }));
      await chain.devControls!.mine(1, 1);
      expect(await chain.store.findTransaction(other)).toMatchObject({ blockNumber: block });
      const dropped = endless.filter((hash) => chain.pool.findStatus(hash)?.status === "dropped");
      expect(dropped).toHaveLength(block);
    }
  });

  it("moves its sender's next transactions behind those of others", async () => {
    const test = await open(1_000);
    const { chain } = test;
    chain.devControls!.setAutomatic(false);
    await sendEndless(test, 0, jumps);
    await chain.devControls!.mine(1, 1);
    const endless = await sendEndless(test, 0, jumps);
    const other = await chain.submit(await test.sign(1, { nonce: 0, gas: 10n ** 7n }));
    await chain.devControls!.mine(1, 1);
    expect(await chain.store.findTransaction(other)).toMatchObject({ blockNumber: 2 });
    expect(chain.pool.findStatus(endless)?.status).toBe("dropped");
  });
});

describe("a chain that closes while it builds a long block", () => {
  it.each([
    ["for the pool", false],
    ["for a dev control", true],
  ])("abandons the block and keeps its transactions (%s)", async (_, isManual) => {
    const test = await open(3_600_000);
    const { chain, folder } = test;
    // Mines a transaction first, to make sure that the worker has started.
    await test.mine(await test.sign(1, { nonce: 0 }));
    chain.devControls!.setAutomatic(!isManual);
    const endless = await sendEndless(test, 0, jumps);
    const mining = isManual ? chain.devControls!.mine(1, 1) : undefined;
    await Promise.all([chain.close(), mining && expect(mining).rejects.toMatchObject({ code: "EXECUTOR_CLOSED" })]);
    expect(chain.head().number).toBe(1);
    opened.length = 0;
    await test.close();
    const again = await open(1_000, folder);
    expect(await again.mine(await again.sign(1, { nonce: 1 }))).toMatchObject({ receipt: { status: 1 } });
    await expect.poll(() => again.chain.pool.findStatus(endless)?.status, { timeout: 120_000 }).toBe("dropped");
    expect(test.errors).toEqual([]);
  });
});
