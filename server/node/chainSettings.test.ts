/** Tests what each setting of a local chain changes, whether it comes from the environment or from a networks file. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { concatHex, encodeErrorResult, type Hex, parseAbi, toHex } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { createNode, type Node } from "@/server/node/node";
import { toBanner, toStartLine } from "@/server/node/startBanner";

const folder = mkdtempSync(join(tmpdir(), "tollscan-settings-"));
const phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const payer = privateKeyToAccount(getDevAccount(0).privateKey);
const nodes: Node[] = [];
let folders = 0;
afterAll(async () => {
  for (const node of nodes) await node.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(settings: Record<string, string> = {}, data = join(folder, String(folders++))) {
  const env = { TOLLSCAN_NETWORKS: "local", TOLLSCAN_DATA: data, TOLLSCAN_LIMIT_CALL_WORKERS: "1", ...settings };
  const node = await createNode(loadConfig(env, folder));
  nodes.push(node);
  const [network] = [...node.networks.values()];
  const ask = (method: string, ...params: unknown[]) => network!.request({ method, params }) as Promise<never>;
  return { node, ask, data };
}

type Ask = Awaited<ReturnType<typeof open>>["ask"];
type Block = { timestamp: Hex; gasLimit: Hex; baseFeePerGas: Hex; transactions: Hex[]; number: Hex };

const getBlock = (ask: Ask, block: string): Promise<Block> => ask("eth_getBlockByNumber", block, false);
const transfer = { from: payer.address, to: payer.address, value: "0x1" };

const contract = "0x00000000000000000000000000000000000000cd";
const reason = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["no"] });
/** CODECOPY(0, 10, 100), REVERT(0, 100), followed by the reason */
const revertWithReason = concatHex(["0x6064600a5f3960645ffd", reason]);

/** Deploys `size` zero bytes of code. Returns the receipt's status and the size of the deployed code. */
async function deploy(ask: Ask, size: number, gas?: number) {
  // PUSH3 size, PUSH0, RETURN
  const data = `0x62${size.toString(16).padStart(6, "0")}5ff3`;
  const hash = await ask("eth_sendTransaction", { from: payer.address, data, gas: toHex(gas ?? 16_000_000) });
  await ask("evm_mine");
  const { status, contractAddress } = (await ask("eth_getTransactionReceipt", hash)) as {
    status: Hex;
    contractAddress: Hex;
  };
  const code: string = status === "0x1" ? await ask("eth_getCode", contractAddress, "latest") : "0x";
  return { status, bytes: (code.length - 2) / 2 };
}

describe("the funded accounts", () => {
  it("come from the configured mnemonic, have the configured balance and are unlocked", async () => {
    const { ask, node } = await open({
      TOLLSCAN_MNEMONIC: phrase,
      TOLLSCAN_ACCOUNTS: "2",
      TOLLSCAN_BALANCE: "12.5",
    });
    const [first, second] = [0, 1].map((addressIndex) => mnemonicToAccount(phrase, { addressIndex }).address);
    expect(BigInt(await ask("eth_getBalance", second, "latest"))).toBe(12_500_000_000_000_000_000n);
    expect(BigInt(await ask("eth_getBalance", payer.address, "latest"))).toBe(0n);
    expect(await ask("eth_sendTransaction", { from: first, to: second, value: "0x1" })).toMatch(/^0x/);
    expect(node.config.networks[0].funded.map(({ address }) => address)).toEqual([
      first?.toLowerCase(),
      second?.toLowerCase(),
      getDevAccount(9).address,
    ]);
  });

  it("are printed at the start with their keys only if the mnemonic is the public one", async () => {
    const { node: own } = await open({ TOLLSCAN_MNEMONIC: phrase, TOLLSCAN_ACCOUNTS: "1" });
    const { address, getHdKey } = mnemonicToAccount(phrase);
    const key = toHex(getHdKey().privateKey!).slice(2);
    const { node: many } = await open({ TOLLSCAN_ACCOUNTS: "21" });
    for (const print of [toBanner, toStartLine]) {
      expect(print(own, 1, true)).toContain(address);
      expect(print(own, 1, true)).not.toContain(key);
      expect(print(many, 1, true)).toContain(getDevAccount(20).privateKey);
    }
  });

  it("still include the faucet's account, so that the faucet works", async () => {
    const { ask } = await open({ TOLLSCAN_MNEMONIC: phrase, TOLLSCAN_ACCOUNTS: "1" });
    expect(await ask("explorer_fund", `0x${"ab".repeat(20)}`)).toMatchObject({
      tokenTransaction: expect.stringMatching(/^0x/),
    });
  });
});

describe("mining", () => {
  it("mines only on request with no-mining, also after a reset", async () => {
    const { ask } = await open({ TOLLSCAN_NO_MINING: "on" });
    for (const _ of ["at first", "after a reset"]) {
      expect(await ask("anvil_getAutomine")).toBe(false);
      const hash = await ask("eth_sendTransaction", transfer);
      expect(await ask("txpool_status")).toMatchObject({ pending: "0x1" });
      await ask("evm_mine");
      expect((await getBlock(ask, "0x1")).transactions).toEqual([hash]);
      await ask("anvil_reset");
    }
  });

  it.each([
    ["builds blocks only at the block time", {}, false],
    ["also builds a block for a transaction with mixed mining", { TOLLSCAN_MIXED_MINING: "on" }, true],
  ])("%s", async (_, settings, isAutomatic) => {
    const { ask } = await open({ TOLLSCAN_BLOCK_TIME: "0.05", ...settings });
    expect(await ask("anvil_getAutomine")).toBe(isAutomatic);
    await expect.poll(async () => Number(await ask("eth_blockNumber"))).toBeGreaterThan(1);
  });

  it("includes transactions in order of arrival with fifo", async () => {
    const { ask } = await open({ TOLLSCAN_NO_MINING: "on", TOLLSCAN_ORDER: "fifo" });
    const hashes: Hex[] = [];
    for (const index of [1, 2, 3]) {
      const tip = { maxFeePerGas: toHex(10n ** 10n), maxPriorityFeePerGas: toHex(index * 1_000_000) };
      hashes.push(await ask("eth_sendTransaction", { ...transfer, ...tip, from: getDevAccount(index).address }));
    }
    await ask("evm_mine");
    expect((await getBlock(ask, "latest")).transactions).toEqual(hashes);
  });

  it("uses the configured priority fee and client name", async () => {
    const { ask } = await open({ TOLLSCAN_PRIORITY_FEE: "12", TOLLSCAN_CLIENT_NAME: "Other" });
    expect(await ask("eth_maxPriorityFeePerGas")).toBe("0xc");
    expect(await ask("web3_clientVersion")).toMatch(/^Other\/Tollscan/);
  });

  it("behaves like Hardhat's node if hardhat is set", async () => {
    const { ask } = await open({ TOLLSCAN_HARDHAT: "on" });
    await Promise.all(Array.from({ length: 5 }, () => ask("evm_mine")));
    for (let count = 0; count < 5; count++) await ask("eth_sendTransaction", transfer);
    const last = Number(await ask("eth_blockNumber"));
    const blocks = await Promise.all(Array.from({ length: last + 1 }, (_, number) => getBlock(ask, toHex(number))));
    const times = blocks.map(({ timestamp }) => Number(timestamp));
    expect(times.slice(1).filter((time, index) => time <= times[index]!)).toEqual([]);
    expect(await ask("web3_clientVersion")).toMatch(/^HardhatNetwork\/Tollscan/);

    // Reverts with the error text "no".
    const nonce = await ask("eth_getTransactionCount", transfer.from, "latest");
    await ask("anvil_setCode", contract, revertWithReason);
    const sent = ask("eth_sendTransaction", { ...transfer, to: contract, gas: "0x186a0" });
    await expect(sent).rejects.toMatchObject({
      code: 3,
      message: "VM Exception while processing transaction: reverted with reason string 'no'",
      data: reason,
    });
    expect(Number(await ask("eth_getTransactionCount", transfer.from, "latest"))).toBe(Number(nonce) + 1);

    // Hardhat's matchers read `data` on every failure, even if nothing was returned.
    await ask("anvil_setCode", contract, "0xfe");
    const message = "VM Exception while processing transaction: invalid opcode: INVALID";
    const halt = { code: -32000, message, data: "0x" };
    const call = { ...transfer, to: contract };
    for (const [method, fields] of [
      ["eth_call", {}],
      ["eth_estimateGas", {}],
      ["eth_sendTransaction", {}],
      ["eth_sendTransaction", { gas: "0x186a0" }],
    ] as const) {
      await expect(ask(method, { ...call, ...fields }), method).rejects.toMatchObject(halt);
    }

    await ask("anvil_impersonateAccount", contract);
    expect(await ask("eth_accounts")).not.toContain(contract);
    await ask("evm_setIntervalMining", 3_000);
    expect(await ask("anvil_getIntervalMining")).toBe(3);
  });

  it("moves the clock with blocks that are ahead of it if hardhat is set", async () => {
    const { ask } = await open({ TOLLSCAN_HARDHAT: "on" });
    for (let count = 0; count < 100; count++) await ask("evm_mine");
    const before = Number((await getBlock(ask, "latest")).timestamp);
    await ask("evm_increaseTime", 60);
    await ask("evm_mine");
    expect(Number((await getBlock(ask, "latest")).timestamp)).toBeGreaterThanOrEqual(before + 60);
  });

  it("returns the steps of a trace in Hardhat's format if hardhat is set", async () => {
    const { ask } = await open({ TOLLSCAN_HARDHAT: "on" });
    // SSTORE(1, 5), MSTORE8(0, 0xfe), CREATE(0, 0, 1) whose code is INVALID, and ADD with one item on the stack.
    const data = "0x600560015560fe600053600160006000f001";
    await ask("eth_sendTransaction", { from: payer.address, data, gas: "0x30d40" }).catch(() => undefined);
    const hash = (await getBlock(ask, "latest")).transactions[0];
    const word = (digits: string) => digits.padStart(64, "0");
    const memory = ["fe".padEnd(64, "0")];
    const storage = { [word("1")]: word("5") };
    const step = (depth: number, gas: number, gasCost: number, op: string, pc: number, stack: string[]) => ({
      ...{ depth, gas, gasCost, op, pc, stack: stack.map(word) },
    });
    const trace: { structLogs: object[] } = await ask("debug_traceTransaction", hash);
    // The values that Hardhat 2.28 returns.
    expect(trace).toEqual({
      failed: true,
      gas: 200_000,
      returnValue: "",
      structLogs: [
        { ...step(1, 146_746, 3, "PUSH1", 0, []), memory: [], storage: {} },
        { ...step(1, 146_743, 3, "PUSH1", 2, ["5"]), memory: [], storage: {} },
        { ...step(1, 146_740, 22_100, "SSTORE", 4, ["5", "1"]), memory: [], storage },
        { ...step(1, 124_640, 3, "PUSH1", 5, []), memory: [], storage },
        { ...step(1, 124_637, 3, "PUSH1", 7, ["fe"]), memory: [], storage },
        { ...step(1, 124_634, 6, "MSTORE8", 9, ["fe", "0"]), memory: [], storage },
        { ...step(1, 124_628, 3, "PUSH1", 10, []), memory, storage },
        { ...step(1, 124_625, 3, "PUSH1", 12, ["1"]), memory, storage },
        { ...step(1, 124_622, 3, "PUSH1", 14, ["1", "0"]), memory, storage },
        { ...step(1, 124_619, 123_172, "CREATE", 16, ["1", "0", "0"]), memory, storage },
        { ...step(2, 91_170, 0, "INVALID", 0, []), memory: [], storage: {} },
        { ...step(1, 1_447, 3, "ADD", 17, ["0"]), memory, storage },
      ],
    });
    const bare = { disableMemory: true, disableStack: true, disableStorage: true };
    const short: typeof trace = await ask("debug_traceTransaction", hash, bare);
    expect(short.structLogs[2]).toEqual({ depth: 1, gas: 146_740, gasCost: 22_100, op: "SSTORE", pc: 4 });
  });

  it("funds 20 accounts if hardhat is set, unless the number is configured", async () => {
    const { ask } = await open({ TOLLSCAN_HARDHAT: "on" });
    expect(await ask("eth_accounts")).toHaveLength(20);
    const { ask: askOther } = await open({ TOLLSCAN_HARDHAT: "on", TOLLSCAN_ACCOUNTS: "3" });
    expect(await askOther("eth_accounts")).toHaveLength(3);
  });

  it("refuses what Hardhat refuses if hardhat is set", async () => {
    const { ask } = await open({ TOLLSCAN_HARDHAT: "on" });
    await ask("eth_sendTransaction", transfer);
    const { timestamp } = await getBlock(ask, "latest");
    await expect(ask("evm_setNextBlockTimestamp", timestamp)).rejects.toThrow(
      "is equal to the latest block's timestamp",
    );
    await expect(ask("anvil_setNonce", payer.address, "0x0")).rejects.toThrow("must not be smaller");
    await ask("anvil_setNonce", payer.address, "0x5");
    await expect(ask("eth_sendTransaction", { ...transfer, nonce: "0x1" })).rejects.toThrow("Nonce too low");
    const wealth = { ...transfer, value: toHex(2n ** 100n) };
    await expect(ask("eth_sendTransaction", wealth)).rejects.toThrow("Sender doesn't have enough funds to send tx");
    const poor = { ...transfer, gas: "0x64" };
    await expect(ask("eth_sendTransaction", poor)).rejects.toThrow(
      "Transaction requires at least 21000 gas but got 100",
    );
    await expect(deploy(ask, 60_000)).rejects.toThrow("trying to deploy a contract whose code is too large");
  });

  it("ends a log range at the head if its last block doesn't exist yet, but refuses one that starts there", async () => {
    const { ask } = await open();
    expect(await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "0xffff" })).toEqual([]);
    await expect(ask("eth_getLogs", { fromBlock: "0xffff" })).rejects.toThrow("extends beyond current head block");
  });

  it("words refusals and panics as anvil does unless hardhat is set", async () => {
    const { ask } = await open();
    const wealth = { ...transfer, value: toHex(2n ** 100n) };
    await expect(ask("eth_sendTransaction", wealth)).rejects.toThrow("Insufficient funds for gas * price + value");
    // MSTORE(0, Panic(uint256)'s selector), MSTORE(4, 0x11), REVERT(0, 36)
    const panic = { from: payer.address, data: "0x634e487b7160e01b5f52601160045260245ffd" };
    await expect(ask("eth_call", panic, "latest")).rejects.toThrow(
      "execution reverted: panic: arithmetic underflow or overflow (0x11)",
    );
  });

  it("mines pending transactions with the next transaction after automining is turned on, if hardhat is set", async () => {
    const { ask } = await open({ TOLLSCAN_HARDHAT: "on" });
    await ask("evm_setAutomine", false);
    const waiting = await ask("eth_sendTransaction", transfer);
    expect(await ask("eth_pendingTransactions")).toMatchObject([{ hash: waiting, blockNumber: null }]);
    await ask("evm_setAutomine", true);
    const next = await ask("eth_sendTransaction", transfer);
    expect(await getBlock(ask, "latest")).toMatchObject({ number: "0x1", transactions: [waiting, next] });
    expect(await ask("eth_pendingTransactions")).toEqual([]);
  });

  it("estimates one unit more than a transfer costs if hardhat is set", async () => {
    const [{ ask }, { ask: askUsual }] = [await open({ TOLLSCAN_HARDHAT: "on" }), await open()];
    expect(Number(await ask("eth_estimateGas", transfer))).toBe(21_001);
    expect(Number(await ask("eth_estimateGas", { ...transfer, data: "0x0102" }))).toBe(21_080);
    expect(Number(await askUsual("eth_estimateGas", transfer))).toBe(21_000);
  });

  it("estimates gas at the suggested price if hardhat is set", async () => {
    // Returns if the gas price is 0; otherwise writes to a slot, or reverts if the caller sent a value.
    const code = "0x3a60055700" + "5b34600f5760015f55005b5f5ffd";
    const [{ ask }, { ask: askUsual }] = [await open({ TOLLSCAN_HARDHAT: "on" }), await open()];
    const call = { from: payer.address, to: contract };
    for (const each of [ask, askUsual]) await each("anvil_setCode", contract, code);
    await expect(ask("eth_estimateGas", { ...call, value: "0x1" })).rejects.toThrow("reverted");
    await expect(ask("eth_sendTransaction", { ...call, value: "0x1" })).rejects.toThrow("reverted");
    const failed = await askUsual("eth_sendTransaction", { ...call, value: "0x1" });
    expect(await askUsual("eth_getTransactionReceipt", failed)).toMatchObject({ status: "0x0" });
    expect(Number(await askUsual("eth_estimateGas", call))).toBeLessThan(22_000);
    expect(Number(await ask("eth_estimateGas", call))).toBeGreaterThan(40_000);
    // A sender that can't pay for gas still gets an estimate.
    expect(Number(await ask("eth_estimateGas", { ...call, from: contract }))).toBeLessThan(22_000);

    // Sending estimates gas at the transaction's gas price, so the gas is enough for the write.
    const hash = await askUsual("eth_sendTransaction", call);
    expect(await askUsual("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  });
});

describe("the genesis block", () => {
  it("has the system's time if the data is temporary and the node isn't serverless", async () => {
    const before = Math.floor(Date.now() / 1000) - Math.ceil(process.uptime());
    const openNew = async (changes: { isKept: boolean; isServerless?: boolean }) => {
      const settings = { TOLLSCAN_NETWORKS: "local", TOLLSCAN_DATA: join(folder, String(folders++)) };
      const node = await createNode({ ...loadConfig(settings, folder), ...changes });
      nodes.push(node);
      const [network] = [...node.networks.values()];
      return network!.request({ method: "eth_getBlockByNumber", params: ["0x0", false] }) as Promise<Block>;
    };
    expect(Number((await openNew({ isKept: false })).timestamp)).toBeGreaterThanOrEqual(before);
    const fixed = toHex(1_767_225_600);
    expect(await openNew({ isKept: true })).toMatchObject({ timestamp: fixed });
    expect(await openNew({ isKept: false, isServerless: true })).toMatchObject({ timestamp: fixed });
  });

  it("has the configured timestamp, gas limit and base fee, and the clock continues from it", async () => {
    const timestamp = 946_684_800;
    const settings = { TOLLSCAN_TIMESTAMP: String(timestamp), TOLLSCAN_GAS_LIMIT: "30000000", TOLLSCAN_BASE_FEE: "0" };
    const { ask, node, data } = await open(settings);
    expect(await getBlock(ask, "0x0")).toMatchObject({
      timestamp: toHex(timestamp),
      gasLimit: toHex(30_000_000),
      baseFeePerGas: "0x0",
    });
    await ask("evm_increaseTime", 500_000);
    await ask("evm_mine");
    const after = Number((await getBlock(ask, "latest")).timestamp);
    expect(after).toBeGreaterThanOrEqual(timestamp + 500_000);
    expect(after).toBeLessThan(timestamp + 600_000);
    await node.close();
    const again = await open(settings, data);
    await again.ask("evm_mine");
    expect(Number((await getBlock(again.ask, "latest")).timestamp)).toBeLessThan(timestamp + 600_000);
  });

  it.each([
    { TOLLSCAN_MNEMONIC: phrase },
    { TOLLSCAN_ACCOUNTS: "3" },
    { TOLLSCAN_BALANCE: "1" },
    { TOLLSCAN_TIMESTAMP: "1" },
    { TOLLSCAN_HARDFORK: "cancun" },
    { TOLLSCAN_HARDFORK: "prague" },
    { TOLLSCAN_GAS_LIMIT: "30000000" },
    { TOLLSCAN_BASE_FEE: "7" },
  ])("can't be changed once there is data: %j is rejected", async (settings) => {
    const { data, node, ask } = await open();
    await ask("eth_chainId");
    await node.close();
    await expect(open(settings as Record<string, string>, data)).rejects.toMatchObject({
      code: "STORE_IDENTITY",
      message: expect.stringMatching(/^\S+ starts with a different genesis block [^\n]+\.$/),
    });
  });
});

describe("the chain's rules", () => {
  it.each(["london", "paris", "shanghai", "cancun", "prague", "osaka"])("are those of %s", async (hardfork) => {
    const { ask } = await open({ TOLLSCAN_HARDFORK: hardfork });
    const config = (await ask("eth_getBlockByNumber", "latest", false)) as Record<string, unknown>;
    expect("withdrawalsRoot" in config).toBe(!["london", "paris"].includes(hardfork));
    expect("requestsHash" in config).toBe(["prague", "osaka"].includes(hardfork));
    const hash = await ask("eth_sendTransaction", transfer);
    await ask("evm_mine");
    expect(await ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
    // CLZ (EIP-7939) was introduced in Osaka.
    const clz = ask("eth_call", { data: "0x60011e60005260206000f3" }, "latest");
    if (hardfork === "osaka") expect(await clz).toBe(toHex(255, { size: 32 }));
    else await expect(clz).rejects.toThrow();
  });

  it("give each hardfork a different genesis block", async () => {
    const hardforks = ["london", "paris", "shanghai", "cancun", "prague", "osaka"];
    const hashes = [];
    for (const hardfork of hardforks) {
      const { ask } = await open({ TOLLSCAN_HARDFORK: hardfork });
      hashes.push(((await ask("eth_getBlockByNumber", "0x0", false)) as { hash: Hex }).hash);
    }
    expect(new Set(hashes).size).toBe(hardforks.length);
  });

  it("limit the size of code, unless the limit is changed or disabled", async () => {
    const usual = await open();
    expect(await deploy(usual.ask, 24_577)).toMatchObject({ status: "0x0" });
    const larger = await open({ TOLLSCAN_CODE_SIZE_LIMIT: "30000" });
    expect(await deploy(larger.ask, 30_000)).toEqual({ status: "0x1", bytes: 30_000 });
    expect(await deploy(larger.ask, 30_001)).toMatchObject({ status: "0x0" });
    const unlimited = await open({ TOLLSCAN_DISABLE_CODE_SIZE_LIMIT: "on" });
    expect(await deploy(unlimited.ask, 60_000)).toEqual({ status: "0x1", bytes: 60_000 });
  });

  it("limit a transaction's gas, unless the limit is off, as it is on anvil's chain ID", async () => {
    const limited = await open({ TOLLSCAN_DISABLE_TX_GAS_LIMIT: "off" });
    await expect(deploy(limited.ask, 1, 20_000_000)).rejects.toThrow("gas");
    const unlimited = await open();
    expect(await deploy(unlimited.ask, 1, 20_000_000)).toEqual({ status: "0x1", bytes: 1 });
  });
});

it("reads chain settings per network from a networks file, which overrides the environment", async () => {
  const networks = [{ preset: "local", noMining: false, baseFee: 5 }, { preset: "sepolia" }];
  writeFileSync(join(folder, "networks.json"), JSON.stringify(networks));
  const { ask, node } = await open({ TOLLSCAN_NETWORKS: "networks.json", TOLLSCAN_NO_MINING: "on" });
  expect(await ask("anvil_getAutomine")).toBe(true);
  expect((await getBlock(ask, "0x0")).baseFeePerGas).toBe("0x5");
  expect(await node.findNetwork("sepolia")?.request({ method: "anvil_getAutomine" } as never)).toBe(false);
});
