/**
 * Tests dev controls the way that test suites use them: viem's unmodified test client must get the same results from
 * Tollscan and from anvil. Also covers state roots, the read model and subscribers, for which anvil gives no
 * guarantees.
 */
import {
  type Account,
  createTestClient,
  custom,
  type Hex,
  type PublicActions,
  parseEther,
  publicActions,
  type TestClient,
  type WalletActions,
  walletActions,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toViemChain } from "@/lib/rpc/viem";
import { executeAgain } from "@/server/chain/executeAgain";
import { rebuildReadModel } from "@/server/explorer/readModel";
import { type AnvilPeer, startAnvilPeer } from "@/server/rpc/testing/anvilPeer";
import { developer } from "@/server/rpc/testing/fixedChain";
import { sampleRuntime, storedTopic } from "@/server/rpc/testing/sampleContract";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

type Mode = "anvil" | "hardhat";
type Client = TestClient<Mode> & PublicActions & WalletActions;

let node: TestNode;
let anvil: AnvilPeer;

beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
  const { timestamp, gasLimit } = node.chain.head();
  anvil = await startAnvilPeer({ chainId: node.network.chainId, timestamp, gasLimit });
});
afterAll(async () => {
  await anvil?.close();
  await node?.close();
});

type Ask = (args: { method: string; params?: unknown }) => Promise<unknown>;
const askOurs: Ask = async ({ method, params }) => {
  const answer = (await node.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params ?? [] }))) as Answer;
  return toResult(answer);
};
const askAnvil: Ask = async ({ method, params }) => toResult(await anvil.ask(method, (params ?? []) as unknown[]));

type Answer = { result?: unknown; error?: { code: number; message: string } };
function toResult({ result, error }: Answer): unknown {
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}

function createClient(request: Ask, mode: Mode = "anvil"): Client {
  const chain = toViemChain({ ...node.network, isLocal: true, publicChain: undefined }, "http://localhost");
  const options = { chain, mode, transport: custom({ request }), pollingInterval: 20, cacheTime: 0 } as const;
  return createTestClient(options).extend(publicActions).extend(walletActions) as Client;
}

const nobody = "0x00000000000000000000000000000000000000aa";
const contract = "0x00000000000000000000000000000000000000cc";
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, "0")}`;

/** Calls every action of the test client and records the results. */
async function converse(client: Client): Promise<unknown[]> {
  const heard: unknown[] = [];
  const hear = (what: string, value: unknown) => heard.push([what, value]);
  const send = async (account: Hex | Account, request: { to: Hex; value?: bigint; data?: Hex }) => {
    const hash = await client.sendTransaction({ account, chain: client.chain ?? null, gas: 100_000n, ...request });
    return waitForReceipt(client, hash);
  };
  await client.setAutomine(true);
  hear("automine", await client.getAutomine());

  await client.setBalance({ address: nobody, value: parseEther("5") });
  hear("balance", await client.getBalance({ address: nobody }));
  await client.setNonce({ address: nobody, nonce: 7 });
  hear("nonce", await client.getTransactionCount({ address: nobody }));
  await client.setCode({ address: contract, bytecode: sampleRuntime });
  hear("code", await client.getCode({ address: contract }));
  await client.setStorageAt({ address: contract, index: 3, value: word(9) });
  hear("slot", await client.getStorageAt({ address: contract, slot: word(3) }));
  hear("head", await client.getBlockNumber({ cacheTime: 0 }));

  await client.impersonateAccount({ address: nobody });
  const receipt = await send(nobody, { to: contract, data: word(42) });
  hear("impersonated", [receipt.from, receipt.status, receipt.logs[0]?.topics[0], receipt.gasUsed]);
  hear("its nonce", (await client.getTransaction({ hash: receipt.transactionHash })).nonce);
  hear("stored", await client.getStorageAt({ address: contract, slot: word(0) }));
  await client.setBalance({ address: contract, value: parseEther("1") });
  await client.impersonateAccount({ address: contract });
  hear("contract sends", (await send(contract, { to: nobody, value: 1n })).status);
  await client.stopImpersonatingAccount({ address: contract });
  hear(
    "stopped",
    await send(contract, { to: nobody, value: 1n }).then(
      () => "sent",
      () => "refused",
    ),
  );

  const snapshot = await client.snapshot();
  const balance = await client.getBalance({ address: nobody });
  const [number, nonce] = [
    await client.getBlockNumber({ cacheTime: 0 }),
    await client.getTransactionCount({ address: nobody }),
  ];
  await client.setBalance({ address: nobody, value: 1_000_000n });
  await client.setStorageAt({ address: contract, index: 3, value: word(0) });
  await client.mine({ blocks: 3 });
  hear("mined", (await client.getBlockNumber({ cacheTime: 0 })) - number);
  await client.revert({ id: snapshot });
  hear("reverted", [
    (await client.getBalance({ address: nobody })) === balance,
    (await client.getBlockNumber({ cacheTime: 0 })) === number,
    (await client.getTransactionCount({ address: nobody })) === nonce,
    await client.getStorageAt({ address: contract, slot: word(3) }),
  ]);
  hear("twice", await client.request({ method: "evm_revert", params: [snapshot] } as never).catch(() => false));

  const { timestamp } = await client.getBlock();
  await client.setNextBlockTimestamp({ timestamp: timestamp + 1000n });
  await client.mine({ blocks: 1 });
  hear("next timestamp", (await client.getBlock()).timestamp - timestamp);
  await client.setBlockTimestampInterval({ interval: 12 });
  await send(developer(1), { to: nobody, value: 1n });
  await send(developer(1), { to: nobody, value: 1n });
  hear("interval", (await client.getBlock()).timestamp - timestamp);
  await client.removeBlockTimestampInterval();
  await client.mine({ blocks: 3, interval: 60 });
  const spaced = await client.getBlock();
  hear("spaced", spaced.timestamp - (await client.getBlock({ blockNumber: spaced.number - 2n })).timestamp);

  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 7_000_000_000n });
  await client.setBlockGasLimit({ gasLimit: 100_000_000n });
  await client.setCoinbase({ address: nobody });
  await client.mine({ blocks: 1 });
  const set = await client.getBlock();
  hear("set block", [set.baseFeePerGas, set.gasLimit, set.miner]);
  await client.setCoinbase({ address: `0x${"00".repeat(20)}` });
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n });
  await client.mine({ blocks: 1 });

  await client.setAutomine(false);
  hear("automine off", await client.getAutomine());
  const account = developer(2);
  const base = { account, chain: client.chain ?? null, to: nobody, gas: 21_000n } as const;
  const nextNonce = await client.getTransactionCount({ address: account.address });
  const first = await client.sendTransaction({ ...base, value: 1n, nonce: nextNonce });
  await client.sendTransaction({ ...base, value: 1n, nonce: nextNonce + 2 });
  const status = await client.getTxpoolStatus();
  hear("pool", [status.pending, status.queued]);
  const content = await client.getTxpoolContent();
  hear(
    "content",
    Object.values(content.pending).flatMap((ofSender) => Object.values(ofSender).map(({ hash }) => hash === first)),
  );
  hear("inspect", Object.keys((await client.inspectTxpool()).queued).length);
  // anvil doesn't drop queued transactions, so the test fills the nonce gap and drops a pending transaction instead.
  const second = await client.sendTransaction({ ...base, value: 1n, nonce: nextNonce + 1 });
  hear("filled", (await client.getTxpoolStatus()).pending);
  await client.dropTransaction({ hash: second });
  hear("dropped", (await client.getTxpoolStatus()).pending);
  const pending = await client.getBlock({ blockTag: "pending" });
  hear("pending block", [
    Number(pending.number) - Number(await client.getBlockNumber({ cacheTime: 0 })),
    pending.gasUsed,
    pending.transactions.map((hash) => hash === first),
    await client.getBlockTransactionCount({ blockTag: "pending" }),
    (await client.getTransactionCount({ address: account.address, blockTag: "pending" })) - nextNonce,
  ]);
  const before = await client.getBlockNumber({ cacheTime: 0 });
  await client.mine({ blocks: 1 });
  hear("on demand", [
    (await client.getBlockNumber({ cacheTime: 0 })) - before,
    (await client.getTransactionReceipt({ hash: first })).status,
  ]);
  await client.setAutomine(true);
  return heard;
}

describe("viem's test client", () => {
  it("gets the same results from our node as from anvil", async () => {
    expect(await converse(createClient(askOurs))).toEqual(await converse(createClient(askAnvil)));
  });

  it("estimates gas in the pending block by default, as anvil does", async () => {
    for (const ask of [askOurs, askAnvil]) {
      const client = createClient(ask);
      await ask({ method: "anvil_reset" });
      const { timestamp } = await client.getBlock();
      // Code that reverts before this time: it compares TIMESTAMP with LT and jumps to REVERT.
      await client.setCode({ address: nobody, bytecode: `0x63${(timestamp + 900n).toString(16)}4210600b57005b5f5ffd` });
      const estimate = (...block: string[]) => ask({ method: "eth_estimateGas", params: [{ to: nobody }, ...block] });
      await expect(estimate()).rejects.toThrow("reverted");
      await client.increaseTime({ seconds: 1_000 });
      await expect(estimate("latest")).rejects.toThrow("reverted");
      expect(Number(await estimate())).toBe(Number(await estimate("pending")));
    }
  });

  it("works with Hardhat's method names, and resets the chain", async () => {
    const client = createClient(askOurs, "hardhat");
    await client.setBalance({ address: nobody, value: 3n });
    await client.setCode({ address: nobody, bytecode: "0x00" });
    await client.setNonce({ address: nobody, nonce: 40 });
    await client.setStorageAt({ address: nobody, index: 0, value: word(1) });
    await client.mine({ blocks: 2, interval: 5 });
    await client.impersonateAccount({ address: nobody });
    await client.stopImpersonatingAccount({ address: nobody });
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 5n });
    await client.setCoinbase({ address: nobody });
    await client.request({ method: "hardhat_setPrevRandao", params: [word(7)] } as never);
    await client.mine({ blocks: 2 });
    const { number, mixHash } = await client.getBlock();
    expect((await client.getBlock({ blockNumber: number - 1n })).mixHash).toBe(word(7));
    expect(mixHash).not.toBe(word(7));
    expect(await client.request({ method: "hardhat_dropTransaction", params: [word(7)] } as never)).toBe(false);
    expect(await client.getBalance({ address: nobody })).toBe(3n);
    await client.reset();
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(0n);
    expect(await client.getBalance({ address: nobody })).toBe(0n);
    expect(await client.getCode({ address: nobody })).toBeUndefined();
  });
});

describe("a chain changed with dev controls", () => {
  it("has valid state roots after edits: proofs verify, and re-executing each block yields its header", async () => {
    const client = createClient(askOurs);
    await client.setBalance({ address: nobody, value: parseEther("2") });
    await client.setStorageAt({ address: contract, index: 1, value: word(5) });
    const { accountProof, balance } = await client.getProof({ address: nobody, storageKeys: [] });
    expect(balance).toBe(parseEther("2"));
    expect(accountProof.length).toBeGreaterThan(0);
    await client.impersonateAccount({ address: nobody });
    for (const value of [1n, 2n, 3n]) {
      const hash = await client.sendTransaction({ account: nobody, chain: null, to: developer(1).address, value });
      await waitForReceipt(client, hash);
      await client.setBalance({ address: nobody, value: parseEther("2") });
    }
    const { store } = node.chain;
    for (let number = 1; number <= node.chain.head().number; number++) {
      const [parent, block] = [(await store.findHeader(number - 1))!, (await store.findBlock(number))!];
      expect((await executeAgain(node.chain, parent, block)).stateRoot).toBe(block.header.stateRoot);
    }
  });

  it("keeps the read model identical to a rebuild across reverts", async () => {
    const client = createClient(askOurs);
    const { store, spec, executor } = node.chain;
    const token = node.network.tokens[0]!.address;
    const transfer = async (value: number) => {
      const data: Hex = `0xa9059cbb${nobody.slice(2).padStart(64, "0")}${word(value).slice(2)}`;
      const hash = await client.sendTransaction({ account: developer(1), chain: null, to: token, data });
      await waitForReceipt(client, hash);
    };
    const read = async () => ({
      holders: await store.listHolders(token, { limit: 99 }),
      figures: await store.findTokenFigures(token),
      transfers: await store.listTokenTransfers({ token }, { limit: 99 }),
      mine: await store.listAddressTransactions(nobody, { limit: 99 }),
    });
    await transfer(5);
    const snapshot = await client.snapshot();
    const before = await read();
    await transfer(6);
    expect(await read()).not.toEqual(before);
    await client.revert({ id: snapshot });
    expect(await read()).toEqual(before);
    await transfer(7);
    const now = await read();
    const holdings = now.holders.length > 0 ? await genesisHoldings() : [];
    await rebuildReadModel({ store, spec, executor, genesis: { holdings } });
    expect(await read()).toEqual(now);
  });

  it("tells filters and subscribers about removed blocks, and returns no fees of removed blocks", async () => {
    const client = createClient(askOurs);
    const filter = (await askOurs({ method: "eth_newFilter", params: [{ address: contract }] })) as string;
    const blocks = (await askOurs({ method: "eth_newBlockFilter" })) as string;
    await client.setCode({ address: contract, bytecode: sampleRuntime });
    const told: unknown[] = [];
    const stop = node.chain.onAlter((event) => told.push(event.removed?.logs.length));
    const snapshot = await client.snapshot();
    const hash = await client.sendTransaction({ account: developer(3), chain: null, to: contract, data: word(1) });
    await waitForReceipt(client, hash);
    const changes = async () =>
      (await askOurs({ method: "eth_getFilterChanges", params: [filter] })) as { topics: Hex[]; removed: boolean }[];
    expect((await changes()).map(({ topics, removed }) => [topics[0], removed])).toEqual([[storedTopic, false]]);
    expect(await askOurs({ method: "eth_getFilterChanges", params: [blocks] })).toHaveLength(1);
    await client.revert({ id: snapshot });
    expect((await changes()).map(({ topics, removed }) => [topics[0], removed])).toEqual([[storedTopic, true]]);
    expect(told).toEqual([1]);
    stop();
    await client.mine({ blocks: 1 });
    expect(await askOurs({ method: "eth_getFilterChanges", params: [blocks] })).toHaveLength(1);
    await expect(client.getTransaction({ hash })).rejects.toThrow();
    expect((await client.getFeeHistory({ blockCount: 4, rewardPercentiles: [50] })).reward).toBeDefined();
  });

  it("never lets an unlocked account sign for another chain ID", async () => {
    const call = { from: developer(0).address, to: nobody, gas: "0x5208" };
    for (const chainId of ["0x1", "0x8f"]) {
      const sent = askOurs({ method: "eth_sendTransaction", params: [{ ...call, chainId }] });
      await expect(sent).rejects.toThrow(/^invalid chain id for signer: have (1|143), want 10143/);
    }
  });

  it("rejects impossible values with a message about the param", async () => {
    const refusal = (method: string, params: unknown[]) =>
      askOurs({ method, params }).then(
        () => "done",
        (error: Error) => error.message,
      );
    expect(await refusal("evm_setNextBlockTimestamp", [1])).toMatch(/^timestamp 1 is before the latest block/);
    expect(await refusal("anvil_mine", [10_001])).toMatch(/10001 blocks at once; the limit is 10000/);
    expect(await refusal("anvil_reset", [{ forking: { jsonRpcUrl: "http://localhost" } }])).toMatch(/forking/);
    expect(await refusal("anvil_setNonce", [nobody, "0xffffffffffffffff"])).toMatch(/nonce/);
    expect(await refusal("eth_sendTransaction", [{ from: "0x00000000000000000000000000000000000000ee" }])).toMatch(
      /no key for/,
    );
    expect(await refusal("anvil_setCode", [nobody, "0x1"])).toMatch(/odd length/);
  });

  it("rejects dev controls if they are disabled", async () => {
    const closed = await createTestNode();
    try {
      const answer = (await closed.post(`{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}`)) as Answer;
      expect(answer.error?.code).toBe(-32601);
      expect(answer.error?.message).toMatch(/TOLLSCAN_DEVELOPER/);
    } finally {
      await closed.close();
    }
  });
});

async function genesisHoldings() {
  const { createGenesis } = await import("@/server/chain/genesis");
  const { buildGenesis } = await import("@/server/chain/genesis");
  const { executor, spec } = node.chain;
  return (await buildGenesis(executor, spec, createGenesis(node.network, spec))).holdings;
}
