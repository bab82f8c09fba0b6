/** Tests createTollscan from the sources, in this process and in child processes that end in different ways. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { parseUnits } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { faucetIndex } from "@/server/config/devAccounts";
import { connectTollscan, createTollscan, type Tollscan } from "@/server/library/tollscan";
import { createClients, createPayFetch, toAccount } from "@/server/library/viem";
import { getServerCode } from "@/server/testing/serverProcess";
import { createHttpFacilitatorClient } from "@/server/x402/resource-server/httpFacilitatorClient";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import { startHttpServer } from "@/server/x402/testing/httpServer";

const stranger = `0x${"5a".repeat(20)}` as const;
const abi = [
  {
    type: "function",
    name: "balanceOf",
    inputs: [{ type: "address" }],
    outputs: [{ type: "uint256" }],
    stateMutability: "view",
  },
] as const;

let tollscan: Tollscan;
beforeAll(async () => {
  vi.stubEnv("TOLLSCAN_NETWORKS", "nowhere");
  vi.stubEnv("PORT", "not a port");
  vi.stubEnv("VERCEL", "1");
  tollscan = await createTollscan({ networks: ["base-sepolia", "testnet"] });
});
afterAll(async () => {
  await tollscan?.stop();
  vi.unstubAllEnvs();
});

async function readBalances(network = "base-sepolia", address: `0x${string}` = stranger) {
  const { publicClient } = createClients(tollscan, network);
  const tokens = tollscan.networks.find(({ name }) => name === network)?.tokens ?? [];
  const read = tokens.map((token) =>
    publicClient.readContract({ abi, address: token.address, functionName: "balanceOf", args: [address] }),
  );
  return [await publicClient.getBalance({ address }), ...(await Promise.all(read))];
}

describe("createTollscan", () => {
  it("reads only its options and no environment variables", async () => {
    expect(tollscan.networks.map(({ name }) => name)).toEqual(["base-sepolia", "testnet"]);
    expect(tollscan.rpcUrl()).toBe(`${tollscan.url}/api/rpc/base-sepolia`);
    expect(tollscan.rpcUrl("testnet")).toBe(`${tollscan.url}/api/rpc/testnet`);
    expect(() => tollscan.rpcUrl("mainnet")).toThrow(
      "Unknown network mainnet; the networks are base-sepolia, testnet.",
    );
  });

  it("uses the same keys every time", async () => {
    expect(tollscan.accounts).toHaveLength(10);
    expect(toAccount(tollscan).address).toBe("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    expect(toAccount(tollscan, faucetIndex).address).toBe("0xa0Ee7A142d267C1f36714E4a8F75612F20a79720");
    const { signers } = (await (await fetch(`${tollscan.facilitatorUrl}/supported`)).json()) as { signers: object };
    expect(signers).toMatchObject({ "eip155:84532": ["0xbcd4042de499d14e55001ccbb24a551f3b954096"] });
  });

  it("can run ten at once, each with its own chain", async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => createTollscan({ networks: ["testnet"] })));
    expect(new Set(ten.map(({ url }) => url)).size).toBe(10);
    await createClients(ten[0]!).testClient.mine({ blocks: 3 });
    const heads = ten.map((one) => createClients(one).publicClient.getBlockNumber());
    expect(await Promise.all(heads)).toEqual([3n, ...Array.from({ length: 9 }, () => 0n)]);
    await Promise.all(ten.map((one) => one.stop()));
    await expect(fetch(ten[0]!.url)).rejects.toThrow("fetch failed");
  });

  it("works while the test suite uses fake timers", async () => {
    vi.useFakeTimers();
    try {
      await using other = await createTollscan({ networks: ["testnet"] });
      await other.fund(stranger, { native: "1" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("rejects a wrong option with a message that refers to the option", async () => {
    await expect(createTollscan({ networks: ["nowhere"] })).rejects.toMatchObject({
      code: "CONFIG",
      message: expect.stringMatching(/^networks contains the unknown network nowhere; /),
    });
    await expect(createTollscan({ port: Number(new URL(tollscan.url).port) })).rejects.toMatchObject({
      code: "CONFIG",
      message: expect.stringMatching(/^port \d+ is in use; /),
    });
  });

  it("loads the state at startup, and writes it when it stops", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollscan-library-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const state = join(folder, "state.json");
    const first = await createTollscan({ networks: ["local"], state });
    await first.fund(stranger, { native: "1" });
    await first.stop();
    await using second = await createTollscan({ networks: ["local"], loadState: state });
    expect(await createClients(second).publicClient.getBalance({ address: stranger })).toBe(parseUnits("1", 18));
    await expect(createTollscan({ state, loadState: state })).rejects.toMatchObject({
      code: "CONFIG",
      message: "state and loadState can't be combined; unset one of them.",
    });
  });

  it("accepts the chain options that anvil has", async () => {
    const mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    await using other = await createTollscan({
      networks: ["local"],
      mnemonic,
      accounts: 2,
      balance: "7.5",
      noMining: true,
    });
    const account = mnemonicToAccount(mnemonic);
    expect(other.accounts.map(({ address }) => address)).toContain(account.address);
    expect(other.accounts).toHaveLength(2);
    const { publicClient, testClient } = createClients(other);
    expect(await publicClient.getBalance(account)).toBe(parseUnits("7.5", 18));
    expect(await testClient.getAutomine()).toBe(false);
    await other.fund(stranger, { native: "1" });
    expect(await publicClient.getBalance({ address: stranger })).toBe(parseUnits("1", 18));
  });

  it("deletes its data when it stops", async () => {
    const listFolders = () => readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
    const before = listFolders();
    const other = await createTollscan({ networks: ["testnet"] });
    expect(listFolders()).toHaveLength(before.length + 1);
    await Promise.all([other.stop(), other.stop()]);
    expect(listFolders()).toEqual(before);
  });
});

describe("a running Tollscan", () => {
  it("sends an address 10 native tokens and 100 of each token, or the given amounts", async () => {
    await tollscan.fund(stranger);
    const funded = [parseUnits("10", 18), parseUnits("100", 6), parseUnits("100", 6)];
    expect(await readBalances()).toEqual(funded);
    await tollscan.fund(stranger, { tokens: { USDC: "0.5" } });
    expect(await readBalances()).toEqual([funded[0], parseUnits("100.5", 6), funded[2]]);
    await tollscan.fund(stranger, { native: "2", network: "testnet" });
    expect(await readBalances("testnet")).toEqual([parseUnits("2", 18), 0n, 0n]);
    await expect(tollscan.fund(stranger, { tokens: { USDC: "1000000000" } })).rejects.toThrow("execution reverted");
    await expect(tollscan.fund(stranger, { tokens: { EURC: "1" } })).rejects.toThrow(
      "base-sepolia has no token EURC; it has USDC, PUSD.",
    );
  });

  it("can send funds while blocks are only mined on request", async () => {
    const { testClient } = createClients(tollscan, "testnet");
    await testClient.setAutomine(false);
    const [before = 0n] = await readBalances("testnet");
    await tollscan.fund(stranger, { native: "1", network: "testnet" });
    expect((await readBalances("testnet"))[0]).toBe(before + parseUnits("1", 18));
    await testClient.setAutomine(true);
  });

  it("goes back to a snapshot of all networks, or of one", async () => {
    const read = async () => [await readBalances(), await readBalances("testnet")];
    const before = await read();
    const snapshot = await tollscan.snapshot();
    await Promise.all([tollscan.fund(stranger), tollscan.fund(stranger, { network: "testnet" })]);
    await tollscan.revert(snapshot);
    expect(await read()).toEqual(before);
    await expect(tollscan.revert(snapshot)).rejects.toThrow(/has no snapshot 0x\w+: a revert or a reset removed it/);

    const ofOne = await tollscan.snapshot("testnet");
    await Promise.all([tollscan.fund(stranger), tollscan.fund(stranger, { network: "testnet" })]);
    await tollscan.revert(ofOne);
    const [changed, restored] = await read();
    expect([changed === before[0], restored]).toEqual([false, before[1]]);
  });

  it("pays for a resource, and forgets the payment after a reset", async () => {
    const pay = createPayFetch(tollscan, toAccount(tollscan, 3));
    const url = `${tollscan.url}/api/paid/block-digest?network=base-sepolia`;
    const { response, settlement } = await pay(url);
    expect([response.status, settlement?.success]).toEqual([200, true]);
    await tollscan.reset("base-sepolia");
    expect(await createClients(tollscan).publicClient.getBlockNumber()).toBe(0n);
    expect(await readBalances()).toEqual([0n, 0n, 0n]);
    expect((await pay(url)).settlement?.success).toBe(true);
  });

  it("approves Permit2 before it pays in a token without signed transfers", async () => {
    const { tokens } = tollscan.networks[0]!;
    const plain = tokens.find(({ eip3009 }) => !eip3009)!;
    const requirement = {
      ...{ scheme: "exact", network: "eip155:84532", asset: plain.address, amount: "30", payTo: stranger },
      ...{ maxTimeoutSeconds: 60, extra: { assetTransferMethod: "permit2" } },
    };
    const paywall = createPaywall({ facilitator: createHttpFacilitatorClient({ url: tollscan.facilitatorUrl }) });
    const shop = await startHttpServer({
      "/": paywall.withPayment({ methods: ["GET"], accepts: [requirement] }, async () => {
        return { status: 200, headers: {}, body: "goods" };
      }),
    });
    const [, , before = 0n] = await readBalances();
    const { response, steps } = await createPayFetch(tollscan)(shop.origin);
    expect([response.status, await response.text()]).toEqual([200, "goods"]);
    expect(steps.map(({ kind }) => kind)).toContain("approval");
    expect((await readBalances())[2]).toBe(before + 30n);
    await shop.close();
  });

  it("can be used from another process that gets its connection", async () => {
    const connection = JSON.parse(JSON.stringify(tollscan));
    const client = connectTollscan(connection);
    expect(client).not.toHaveProperty("stop");
    const [before = 0n] = await readBalances("testnet");
    await client.fund(stranger, { network: "testnet", native: "3" });
    expect((await readBalances("testnet"))[0]).toBe(before + parseUnits("3", 18));
  });
});

describe("a process that uses createTollscan", () => {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-library-"));
  const temporary = join(folder, "temporary");
  const env = { ...process.env, TMPDIR: temporary };
  let module = "";
  beforeAll(async () => {
    mkdirSync(temporary);
    module = pathToFileURL(join(dirname(await getServerCode()), "tollscan.mjs")).href;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a file that creates a Tollscan and then runs the program. Returns its path. */
  function write(program: string): string {
    const file = join(folder, "program.mjs");
    const created = `const tollscan = await createTollscan({ networks: ["testnet"] });`;
    writeFileSync(file, `import { createTollscan } from ${JSON.stringify(module)};\n${created}\n${program}`);
    return file;
  }

  it("has no open handles or files after stop", async () => {
    const result = join(folder, "result.json");
    const program = `
      import { writeFileSync } from "node:fs";
      await tollscan.fund("${stranger}");
      await tollscan.stop();
      const left = [process.getActiveResourcesInfo(), process.listenerCount("exit"), process.listenerCount("SIGTERM")];
      writeFileSync(${JSON.stringify(result)}, JSON.stringify(left));`;
    const child = spawn(process.execPath, [write(program)], { env, stdio: "ignore" });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(readFileSync(result, "utf8")).toBe("[[],0,0]");
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("can end without stop, and its data is deleted", async () => {
    const program = `await tollscan.fund("${stranger}"); console.log("done");`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [write(program)], { env });
    expect([stdout, stderr]).toEqual(["done\n", ""]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  async function start(program = "") {
    const file = write(
      `await tollscan.fund("${stranger}"); console.log(tollscan.url); setInterval(() => undefined, 1e6); ${program}`,
    );
    const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "close");
    const [url] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
    expect(url).toMatch(/^http/);
    return { child, ended, url: String(url) };
  }

  it("deletes the data if a signal ends it", async () => {
    const { child, ended } = await start();
    expect(readdirSync(temporary)).toHaveLength(1);
    child.kill("SIGTERM");
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("continues if the test suite handles a signal itself", async () => {
    const { child, ended, url } = await start('process.on("SIGINT", () => console.log("handled"));');
    child.kill("SIGINT");
    await once(createInterface(child.stdout), "line");
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    child.kill("SIGTERM");
    await ended;
  });

  it("leaves data that the next process deletes if it is killed", async () => {
    const { child, ended } = await start();
    child.kill("SIGKILL");
    await ended;
    const [left = ""] = readdirSync(temporary);
    expect(readdirSync(join(temporary, left))).toContain("testnet.sqlite");
    await promisify(execFile)(process.execPath, [write("await tollscan.stop();")], { env });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
