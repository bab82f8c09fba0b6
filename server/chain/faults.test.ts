/**
 * Tests failures around block production, for example if the store rejects a write, the clock jumps, or a block cannot
 * be prepared.
 */
import { afterEach, describe, expect, it } from "vitest";
import { addresses, embeddedSpec, openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";

const opened: TestChain[] = [];
afterEach(async () => {
  for (const test of opened.splice(0)) {
    await test.close();
    removeFolder(test.folder);
  }
});

async function open(options: Parameters<typeof openTestChain>[0] = {}): Promise<TestChain> {
  const test = await openTestChain({ isDeveloped: true, ...options });
  opened.push(test);
  return test;
}

/** Makes the next write of the pool to the store fail. */
function failNextPut({ chain }: TestChain): void {
  const { store } = chain;
  const { putPool } = store;
  store.putPool = async () => {
    store.putPool = putPool;
    throw new Error("the disk is full");
  };
}

describe("a transaction that the store could not record", () => {
  it("fails with the store's error and leaves the pool, so it can be sent again", async () => {
    const test = await open();
    const { chain } = test;
    chain.devControls!.setAutomatic(false);
    const raw = await test.sign(0, { nonce: 0 });
    failNextPut(test);
    await expect(chain.submit(raw)).rejects.toThrow("the disk is full");
    expect(chain.pool.counts()).toEqual({ pending: 0, queued: 0 });
    expect(chain.pool.listDropped(1)).toMatchObject([{ status: "dropped", reason: "the database could not store it" }]);
    chain.devControls!.setAutomatic(true);
    expect(await test.mine(raw)).toMatchObject({ blockNumber: 1, receipt: { status: 1 } });
  });

  it("is accepted if the block that is being built includes it", async () => {
    const test = await open();
    const { chain } = test;
    failNextPut(test);
    const hash = await chain.submit(await test.sign(0, { nonce: 0 }));
    expect(chain.pool.findStatus(hash)?.status).toBe("mined");
    expect(await chain.store.findTransaction(hash)).toMatchObject({ blockNumber: 1 });
  });
});

describe("building blocks", () => {
  it("continues after a block that could not be prepared", async () => {
    let failures = 0;
    const test = await open({
      now: () => {
        if (failures-- > 0) throw new Error("the clock is broken");
        return Date.now();
      },
    });
    const { chain, errors } = test;
    chain.devControls!.setAutomatic(false);
    const hash = await chain.submit(await test.sign(0, { nonce: 0 }));
    failures = 1;
    chain.devControls!.setAutomatic(true);
    expect(await chain.waitForTransaction(hash, 120_000)).toMatchObject({ receipt: { status: 1 } });
    expect(errors).toEqual([new Error("the clock is broken")]);
  });

  it("continues after the machine's clock was set back", async () => {
    let nowMs = Date.parse("2026-06-01T00:00:00Z");
    const test = await open({ spec: { ...embeddedSpec, blockTimeMs: 400 }, now: () => nowMs });
    await test.mine(await test.sign(0, { nonce: 0 }));
    nowMs -= 86_400_000;
    expect(await test.mine(await test.sign(0, { nonce: 1 }))).toMatchObject({ blockNumber: 2 });
  });

  it("continues after a balance overflows and after the latest possible timestamp", async () => {
    const test = await open();
    const { devControls, store } = test.chain;
    const rich = addresses[7]!;
    await devControls!.edit([{ address: rich, balance: 2n ** 256n - 1n }]);
    devControls!.setCoinbase(rich);
    const { receipt } = await test.mine(await test.sign(0, { nonce: 0 }));
    const tip = receipt.gasUsed * 10n ** 9n;
    expect((await store.findAccount(rich, 1))?.balance).toBe(tip - 1n);
    devControls!.setTimestampInterval(Number.MAX_SAFE_INTEGER);
    for (const nonce of [1, 2, 3]) await test.mine(await test.sign(0, { nonce }));
    await devControls!.mine(3, Number.MAX_SAFE_INTEGER);
    expect(test.chain.head()).toMatchObject({ number: 7, timestamp: 2 ** 40 });
  });
});

describe("a state edit after which no block could be built", () => {
  /** The system contracts of EIP-4788, EIP-2935, EIP-7002 and EIP-7251. */
  it.each([
    "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
    "0x0000f90827f1c53a10cb7a02335b175320002935",
    "0x00000961ef480eb55e80d19ad83579a64c007002",
    "0x0000bbddc7ce488642fb579f8b00f3a590007251",
  ] as const)("is rejected (%s)", async (address) => {
    const test = await open();
    const { devControls } = test.chain;
    await expect(devControls!.edit([{ address, code: "0xfe" }])).rejects.toMatchObject({
      code: "NOT_POSSIBLE",
      message: `No block can be built after this change: The call to the system contract ${address} failed.`,
    });
    await devControls!.edit([{ address, code: "0x00" }]);
    expect(await test.mine(await test.sign(0, { nonce: 0 }))).toMatchObject({ blockNumber: 1 });
  });
});
