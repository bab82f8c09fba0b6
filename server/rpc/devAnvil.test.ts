/**
 * Tests more anvil methods: Tollscan returns what the anvil program returns. Also tests that filters, subscribers and
 * the ledger are told about blocks that a rollback or a reorganization removes.
 */
import { encodeFunctionData, erc20Abi, getContractAddress, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSubscriptions } from "@/server/rpc/subscriptions";
import { developer } from "@/server/rpc/testing/fixedChain";
import { sampleInitCode, sampleRuntime } from "@/server/rpc/testing/sampleContract";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { type AnvilProcess, type RpcAnswer, startAnvilProcess } from "@/server/testing/anvilProcess";

let node: TestNode;
let anvil: AnvilProcess;
beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
  anvil = await startAnvilProcess(["--port", "0", "--chain-id", String(node.network.chainId), "--hardfork", "osaka"]);
});
afterEach(() => node.chain.devControls?.reset());
afterAll(async () => {
  await anvil?.stop();
  await node?.close();
});

type Tell = (method: string, params?: unknown[]) => Promise<unknown>;
const ask = async (method: string, params: unknown[]) =>
  (await node.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))) as RpcAnswer;
const tellOurs: Tell = async (method, params = []) => {
  const { result, error } = await ask(method, params);
  if (error) throw new Error(error.message);
  return result;
};
const tellAnvil: Tell = (method, params) => anvil.tell(method, params);
const both = async (method: string, params?: unknown[]) => [
  await tellOurs(method, params),
  await tellAnvil(method, params),
];

const from = developer(3).address.toLowerCase();
const nobody = "0x00000000000000000000000000000000000000ab";
const stranger = "0x00000000000000000000000000000000000000ee";
const contract = "0x00000000000000000000000000000000000000cd";
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
/** Replaces the value of every field with its type, because hashes and versions differ between the programs. */
const toShape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, typeof entry]));
};

/** Deploys and calls a contract in one pending block. Returns what the node reports about that block. */
async function sendPending(tell: Tell, limit: { gas?: Hex } = {}) {
  const sender = "0x00000000000000000000000000000000000000dd";
  const to = getContractAddress({ from: sender, nonce: 0n });
  const call = { from: sender, to, data: word(5) };
  await tell("evm_setAutomine", [false]);
  await tell("anvil_setBalance", [sender, "0xde0b6b3a7640000"]);
  await tell("anvil_impersonateAccount", [sender]);
  const deployed = await tell("eth_sendTransaction", [{ from: sender, data: sampleInitCode, gas: "0x30000" }]);
  const called = await tell("eth_sendTransaction", [{ ...call, ...limit }]);
  const block = (await tell("eth_getBlockByNumber", ["pending", true])) as {
    number: Hex;
    transactions: { hash: Hex; blockNumber: Hex }[];
  };
  const latest = (await tell("eth_blockNumber")) as Hex;
  const seen = [
    block.transactions.map(({ hash, blockNumber }) => [hash, blockNumber]),
    await tell("eth_getBlockTransactionCountByNumber", ["pending"]),
    await tell("eth_call", [call, "pending"]),
    await tell("eth_call", [call, "latest"]),
    await tell("eth_getCode", [to, "pending"]),
    await tell("eth_getCode", [to, "latest"]),
    await tell("eth_getStorageAt", [to, "0x0", "pending"]),
    Number(await tell("eth_estimateGas", [call, "pending"])) > 22_000,
  ];
  await tell("evm_mine");
  await tell("evm_setAutomine", [true]);
  const receipt = (await tell("eth_getTransactionReceipt", [called])) as { status: Hex; blockNumber: Hex };
  expect(seen[0]).toEqual([deployed, called].map((hash) => [hash, block.number]));
  expect(receipt).toMatchObject({ status: "0x1", blockNumber: block.number });
  return [Number(block.number) - Number(latest), ...seen.slice(1)];
}

describe("our node and anvil", () => {
  it("show a pending block with the pool's transactions while automine is off, and run pending calls after them", async () => {
    const ours = await sendPending(tellOurs);
    expect(ours).toEqual([1, "0x2", word(5), "0x", sampleRuntime, "0x", word(5), true]);
    // anvil estimates the gas on the latest state, where the contract does not exist yet.
    expect(await sendPending(tellAnvil, { gas: "0x30000" })).toEqual(ours);
  });

  it("find transactions of the pending block by index", async () => {
    await tellOurs("evm_setAutomine", [false]);
    const call = { from: stranger, to: nobody, value: "0x1", gas: "0x5208" };
    await tellOurs("anvil_setBalance", [stranger, "0xde0b6b3a7640000"]);
    await tellOurs("anvil_impersonateAccount", [stranger]);
    const hash = await tellOurs("eth_sendTransaction", [call]);
    const at = (index: Hex) => tellOurs("eth_getTransactionByBlockNumberAndIndex", ["pending", index]);
    expect(await at("0x0")).toMatchObject({ hash, transactionIndex: "0x0" });
    expect(await at("0x1")).toBeNull();
    const balance = async (block: string) => BigInt((await tellOurs("eth_getBalance", [nobody, block])) as Hex);
    expect(await balance("pending")).toBe((await balance("latest")) + 1n);
    expect(await tellOurs("eth_getBlockReceipts", ["pending"])).toMatchObject([{ transactionHash: hash }]);
    await tellOurs("evm_mine");
    await tellOurs("evm_setAutomine", [true]);
    expect(await tellOurs("eth_getBlockByNumber", ["pending", false])).toMatchObject({ transactions: [hash] });
  });

  it("return the same for lookups and settings", async () => {
    await both("anvil_setBalance", [nobody, 1_000]);
    await both("anvil_addBalance", [nobody, "0x10"]);
    await both("evm_setAccountNonce", [nobody, "0x9"]);
    await both("anvil_setCode", [contract, sampleRuntime]);
    await both("anvil_setStorageAt", [contract, 1, word(7)]);
    for (const [method, params] of [
      ["eth_getAccountInfo", [nobody, "latest"]],
      ["eth_getAccountInfo", [contract, "latest"]],
      ["eth_getAccount", [nobody, "latest"]],
      ["eth_getStorageValues", [{ [contract]: [word(0), word(1)] }, "latest"]],
      ["eth_getStorageAt", [contract, "0x1", "latest"]],
      ["hardhat_addBalance", [nobody, "0x1"]],
      ["tenderly_addBalance", [nobody, "0x1"]],
      ["eth_getBalance", [nobody, "latest"]],
      ["tenderly_setBalance", [nobody, "0x5"]],
      ["eth_getBalance", [nobody, "latest"]],
      ["hardhat_autoImpersonateAccount", [false]],
      ["eth_coinbase", []],
      ["eth_hashrate", []],
      ["eth_networkId", []],
      ["eth_protocolVersion", []],
      ["eth_getUncleCountByBlockNumber", ["latest"]],
      ["eth_getUncleByBlockNumberAndIndex", ["latest", "0x0"]],
      ["anvil_getIntervalMining", []],
      ["anvil_removePoolTransactions", [nobody]],
      ["anvil_setLoggingEnabled", [true]],
      ["anvil_setRpcUrl", ["http://localhost:8545"]],
      ["eth_getRawTransactionByHash", [word(1)]],
      ["eth_getTransactionBySenderAndNonce", [nobody, "0x0"]],
    ] as const) {
      const [ours, theirs] = await both(method, [...params]);
      expect([method, ours]).toEqual([method, theirs]);
    }
  });

  it("fail with the same errors", async () => {
    for (const [method, params, isLonger] of [
      ["anvil_setMinGasPrice", ["0x1"]],
      ["hardhat_setMinGasPrice", ["0x1"]],
      // The sender has no balance either, but the error must be about the missing key.
      ["eth_sendTransaction", [{ from: stranger, to: nobody, value: "0x1" }], true],
      ["eth_signTransaction", [{ from: stranger, to: nobody, value: "0x1" }], true],
      ["eth_sign", [stranger, "0x00"], true],
      ["personal_sign", ["0x00", stranger], true],
    ] as const) {
      const { error: ours } = await ask(method, [...params]);
      const { error: theirs } = await anvil.ask(method, [...params]);
      expect([method, ours?.code]).toEqual([method, theirs!.code]);
      if (isLonger) expect(ours?.message).toContain(`${theirs!.message}: `);
      else expect(ours?.message).toBe(theirs!.message);
    }
  });

  it("describe themselves with the same fields, except for the commit, which our releases don't have", async () => {
    const [ours, theirs] = await both("anvil_nodeInfo");
    const { network: _, ...info } = theirs as Record<string, unknown>;
    expect(toShape(ours)).toEqual(toShape(info));
    expect(ours).toMatchObject({ hardFork: (theirs as { hardFork: string }).hardFork });
    const [id] = (await both("evm_snapshot")) as Hex[];
    const [metadata, known] = (await both("anvil_metadata")) as Record<string, unknown>[];
    const { clientCommitSha: __, ...rest } = known!;
    expect(toShape(metadata)).toEqual(toShape(rest));
    const head = node.chain.head();
    expect(metadata!.snapshots).toEqual({ [id!]: [head.number, head.hash] });
    expect(await tellOurs("hardhat_metadata")).toEqual(metadata);
    expect(String(await tellOurs("web3_clientVersion")).toLowerCase()).toMatch(/^anvil/);
  });

  it("return mined transactions in the same encoding", async () => {
    const call = { from, to: nobody, value: "0x1", gas: "0x5208", gasPrice: "0x77359400", nonce: "0x0" };
    const hashes = await both("eth_sendTransaction", [call]);
    expect(hashes[0]).toBe(hashes[1]);
    // anvil may respond before it has mined the block.
    await expect.poll(() => tellAnvil("eth_getTransactionReceipt", [hashes[1]])).not.toBeNull();
    for (const [method, params] of [
      ["eth_getRawTransactionByHash", [hashes[0]]],
      ["eth_getRawTransactionByBlockNumberAndIndex", ["latest", "0x0"]],
    ] as const) {
      const [ours, theirs] = await both(method, [...params]);
      expect(ours).toBe(theirs);
    }
    expect(await tellOurs("eth_getTransactionBySenderAndNonce", [from, "0x0"])).toMatchObject({ hash: hashes[0] });
    const [mined] = (await tellOurs("evm_mine_detailed")) as { number: Hex; transactions: [] }[];
    expect(mined).toMatchObject({ number: `0x${node.chain.head().number.toString(16)}`, transactions: [] });
  });
});

it("sets a token balance and an allowance, whatever slots the token uses", async () => {
  const token = node.network.tokens[0]!.address.toLowerCase();
  const spender = developer(4).address;
  const read = (functionName: "balanceOf" | "allowance", args: never) =>
    tellOurs("eth_call", [{ to: token, data: encodeFunctionData({ abi: erc20Abi, functionName, args }) }, "latest"]);
  await tellOurs("anvil_dealERC20", [nobody, token, 123]);
  await tellOurs("anvil_setERC20Allowance", [from, spender, token, "0x7b"]);
  expect(await read("balanceOf", [nobody] as never)).toBe(word(123));
  expect(await read("allowance", [from, spender] as never)).toBe(word(123));
  await expect(tellOurs("anvil_dealERC20", [nobody, contract, 1])).rejects.toThrow(/^No single storage slot of/);
});

describe("removed blocks", () => {
  const send = (data: number, more = {}) =>
    tellOurs("eth_sendTransaction", [{ from, to: contract, data: word(data), ...more }]);
  const stored = () => tellOurs("eth_getStorageAt", [contract, "0x0", "latest"]);

  it("disappear after a rollback, with their state, transactions and logs", async () => {
    await tellOurs("anvil_setCode", [contract, sampleRuntime]);
    await send(1);
    const hash = await send(2);
    await tellOurs("anvil_setBalance", [nobody, "0x5"]);
    const before = node.chain.head().number;
    expect(await tellOurs("anvil_rollback")).toBeNull();
    expect(node.chain.head().number).toBe(before - 1);
    expect(await stored()).toBe(word(1));
    expect(await tellOurs("eth_getBalance", [nobody, "latest"])).toBe("0x0");
    expect(await tellOurs("eth_getTransactionReceipt", [hash])).toBeNull();
    await expect(tellOurs("anvil_rollback", [100])).rejects.toThrow(
      `Rollback depth must not exceed current chain height: current height ${before - 1}, depth 100`,
    );
    // The contract's code was set in an earlier block, so it survives the rollback.
    await send(3);
    expect(await stored()).toBe(word(3));
  });

  it("are replaced after a reorg by other blocks with the given transactions", async () => {
    await tellOurs("anvil_setCode", [contract, sampleRuntime]);
    await send(1);
    await send(2);
    await tellOurs("evm_mine");
    const before = node.chain.head();
    const replacement = { from, to: contract, data: word(9) };
    const raw = await tellOurs("eth_signTransaction", [
      { ...replacement, data: word(8), nonce: "0x1", gas: "0x186a0" },
    ]);
    const pairs = [
      [raw, 0],
      [replacement, 1],
    ];
    expect(await tellOurs("anvil_reorg", [2, pairs])).toBeNull();
    const after = node.chain.head();
    expect([after.number, after.hash === before.hash]).toEqual([before.number, false]);
    expect(await stored()).toBe(word(9));
    const block = await node.chain.store.findBlock(after.number - 1);
    expect(block!.transactions.map(({ input }) => input)).toEqual([word(8)]);
    expect(await tellOurs("anvil_getAutomine")).toBe(true);
    await expect(tellOurs("anvil_reorg", [1, [[raw, 1]]])).rejects.toThrow(
      /block index 1 must be below the depth of the reorg/,
    );
  });

  it("are reported by filters and subscriptions: logs as removed, then the new blocks", async () => {
    await tellOurs("anvil_setCode", [contract, sampleRuntime]);
    const logs = await tellOurs("eth_newFilter", [{ address: contract }]);
    const blocks = await tellOurs("eth_newBlockFilter");
    const events: { number?: Hex; removed?: boolean; data?: Hex }[] = [];
    const subscriptions = createSubscriptions({ events: node.chain, dispatcher: node.dispatcher, perSession: 5 });
    const session = subscriptions.open({}, (text, kind) => {
      if (kind === "event") events.push(JSON.parse(text).params.result);
    });
    for (const params of [["newHeads"], ["logs", { address: contract }]]) {
      await session.receive(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params })));
    }
    await send(5);
    const first = node.chain.head().number;
    type Log = { removed: boolean; data: Hex; topics: Hex[] };
    const toRemoved = (changes: unknown) => (changes as Log[]).map(({ removed }) => removed);
    expect(toRemoved(await tellOurs("eth_getFilterChanges", [logs]))).toEqual([false]);
    await tellOurs("eth_getFilterChanges", [blocks]);
    await tellOurs("anvil_reorg", [1, [[{ from, to: contract, data: word(6) }, 0]]]);
    expect(toRemoved(await tellOurs("eth_getFilterChanges", [logs]))).toEqual([true, false]);
    expect(await tellOurs("eth_getFilterChanges", [blocks])).toEqual([node.chain.head().hash]);
    const told = events.map(({ number, removed }) => (removed === undefined ? Number(number) : removed));
    expect(told).toEqual([first, false, first - 1, true, first, false]);
    subscriptions.close();
  });
});
