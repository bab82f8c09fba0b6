/** Tests fee suggestions and the fee history for blocks with known tips. */
import { parseGwei } from "viem";
import { expect, it } from "vitest";
import { createGenesis } from "@/server/chain/genesis";
import { embeddedSpec, network, openTestChain, removeFolder } from "@/server/chain/testing/testChain";

it("suggests the tip that full blocks require, and returns a fee history that ends with the next base fee", async () => {
  const genesis = createGenesis(network, embeddedSpec);
  const test = await openTestChain({ genesis: { ...genesis, gasLimit: 40_000n }, tipWei: 1_000_000n });
  const { chain, sign, mine } = test;
  try {
    expect(await chain.fees.suggestTip()).toBe(1_000_000n);
    // The genesis block is empty, so the next base fee is lower than its own.
    expect(chain.nextEnv().baseFeePerGas!).toBeLessThan(genesis.baseFeePerGas!);
    expect(await chain.fees.suggestGasPrice()).toBe(1_000_000n + genesis.baseFeePerGas!);
    expect(chain.fees.blobBaseFee()).toBe(1n);

    const tips = ["3", "2", "5"];
    for (const [nonce, tip] of tips.entries()) {
      await mine(await sign(0, { nonce, maxPriorityFeePerGas: parseGwei(tip) } as never));
    }
    // The 60th percentile of 2, 3 and 5 gwei is the middle value.
    expect(await chain.fees.suggestTip()).toBe(parseGwei("3"));
    expect(chain.nextEnv().baseFeePerGas!).toBeGreaterThan(chain.head().baseFeePerGas!);
    expect(await chain.fees.suggestGasPrice()).toBe(parseGwei("3") + chain.nextEnv().baseFeePerGas!);

    const history = await chain.fees.history({ count: 10, newest: 3, percentiles: [0, 100] });
    expect(history.oldestBlock).toBe(0);
    expect(history.reward).toEqual([[0n, 0n], ...tips.map((tip) => [parseGwei(tip), parseGwei(tip)])]);
    expect(history.gasUsedRatio).toEqual([0, ...tips.map(() => 21_000 / 40_000)]);
    expect(history.baseFeePerGas).toHaveLength(5);
    expect(history.baseFeePerGas.at(-1)).toBe(chain.nextEnv().baseFeePerGas);
    for (let number = 0; number <= 3; number++) {
      expect(history.baseFeePerGas[number]).toBe((await chain.getHeader({ number })).baseFeePerGas);
    }
    const older = await chain.fees.history({ count: 1, newest: 1 });
    expect(older.baseFeePerGas).toEqual(history.baseFeePerGas.slice(1, 3));
    expect(older).not.toHaveProperty("reward");
    expect((await chain.fees.history({ count: 0, newest: 3 })).baseFeePerGas).toEqual([]);
  } finally {
    await test.close();
    removeFolder(test.folder);
  }
});

it("suggests the default tip while blocks have room, whatever tips their transactions paid", async () => {
  const test = await openTestChain({ tipWei: 7n });
  const { chain, sign, mine } = test;
  try {
    await mine(await sign(0, { nonce: 0, maxPriorityFeePerGas: parseGwei("5") } as never));
    expect(await chain.fees.suggestTip()).toBe(7n);
  } finally {
    await test.close();
    removeFolder(test.folder);
  }
});
