/**
 * Tests the node's own keys: they are random, stored with the data, the same for every instance, and not public unless
 * configured.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAddress } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Config, loadConfig } from "@/server/config/config";
import { facilitatorIndex, getDevAccount, merchantIndex } from "@/server/config/devAccounts";
import { openSigners } from "@/server/node/nodeKeys";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { runToEnd } from "@/server/testing/serverProcess";

const own = `0x${"ab".repeat(32)}` as const;
const ownAddress = privateKeyToAddress(own).toLowerCase();
const testnet = { name: "testnet", chainId: 10143 };
const mainnet = { name: "mainnet", chainId: 143 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const toConfig = (env: Record<string, string> = {}): Config => loadConfig({ TOLLSCAN_DATA: "data", ...env }, folder);
const toFile = () => join(folder, "data", "keys.json");

async function readAddresses(config: Config) {
  const { toAddress, payTo } = await openSigners(config);
  return { facilitator: toAddress(testnet), simulated: toAddress(mainnet), payee: payTo };
}

describe("a node's keys", () => {
  it("cannot be derived from the public mnemonic, and differ between nodes", async () => {
    const [one, two] = [await readAddresses(toConfig()), await readAddresses(toConfig({ TOLLSCAN_DATA: "other" }))];
    const known = Array.from({ length: 200 }, (_, index) => getDevAccount(index).address);
    const made = [one.facilitator, one.payee, two.facilitator, two.payee];
    for (const address of made) expect(known).not.toContain(address);
    expect(new Set(made).size).toBe(4);
  });

  it("are stored in a file that only its owner can read, and read from it by the next start", async () => {
    const first = await readAddresses(toConfig());
    expect(statSync(toFile()).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, "data"))).toEqual(["keys.json"]);
    expect(await readAddresses(toConfig())).toEqual(first);
  });

  it("are the same for processes that start at the same time in a new folder", async () => {
    const code = `
      import { loadConfig } from "@/server/config/config";
      import { openSigners } from "@/server/node/nodeKeys";
      const { toAddress, payTo } = await openSigners(loadConfig({ TOLLSCAN_DATA: "data" }, ${JSON.stringify(folder)}));
      console.log(toAddress({ name: "testnet", chainId: 10143 }), payTo);`;
    const start = () => runToEnd([...process.execArgv, "--input-type=module", "--eval", code], {});
    const [here, ...processes] = await Promise.all([readAddresses(toConfig()), start(), start(), start()]);
    const line = `${here.facilitator} ${here.payee}\n`;
    expect(processes).toEqual(processes.map(() => ({ code: 0, stdout: line, stderr: "" })));
  });

  it.each([
    ["cut off", (text: string) => text.slice(0, 60)],
    ["empty", () => ""],
    ["missing a key", (text: string) => JSON.stringify({ facilitator: JSON.parse(text).facilitator })],
  ])("are not repeated in the error if the file is %s", async (_, damage) => {
    await openSigners(toConfig());
    const text = readFileSync(toFile(), "utf8");
    writeFileSync(toFile(), damage(text));
    const refusal = (await openSigners(toConfig()).catch((error) => error)) as Error;
    expect(refusal).toMatchObject({
      code: "STORE_FORMAT",
      message: `The keys in ${toFile()} are damaged; restore them from a backup, or delete them to get new ones.`,
    });
    expect(String(refusal.cause)).not.toContain(text.slice(18, 40));
    expect(readFileSync(toFile(), "utf8")).toBe(damage(text));
  });

  it("are reported as unavailable if the file can't be read", async () => {
    // Puts a folder where the file should be, so that reading fails. File permissions wouldn't stop root.
    mkdirSync(toFile(), { recursive: true });
    await expect(openSigners(toConfig())).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: `The key file ${toFile()} cannot be read or created (EISDIR).`,
    });
  });

  it("are stored in one row of Postgres, which the first of several instances writes", async () => {
    const { url, remove } = await createTestDatabase();
    try {
      const config = toConfig({ DATABASE_URL: url });
      const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => readAddresses(config)));
      for (const other of [...others, await readAddresses(config)]) expect(other).toEqual(first);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await remove();
    }
  });

  it("are not stored if the data is temporary or every network is remote", async () => {
    const remote = { TOLLSCAN_NETWORKS: "testnet", NETWORK_TESTNET_RPC_URL: "http://localhost:1" };
    for (const env of [{ VERCEL: "1" }, { ...remote, FACILITATOR_PRIVATE_KEY: own }]) {
      const config = toConfig(env);
      await openSigners(config);
      expect(await readdir(folder)).toEqual([]);
      expect(await readdir(config.dataDir).catch(() => [])).toEqual([]);
    }
  });

  it("are public test keys if TOLLSCAN_DETERMINISTIC is on", async () => {
    const facilitator = getDevAccount(facilitatorIndex).address;
    const addresses = { facilitator, simulated: facilitator, payee: getDevAccount(merchantIndex).address };
    expect(await readAddresses(toConfig({ TOLLSCAN_DETERMINISTIC: "on" }))).toEqual(addresses);
  });
});

it("signs refunds with the node's own payee on local chains, but never with a payee that may hold real funds", async () => {
  const listSigned = async (env: Record<string, string>) => {
    const config = toConfig(env);
    const { findPayee, payTo } = await openSigners(config);
    return config.networks.filter((network) => findPayee(network, payTo)).map(({ name }) => name);
  };
  expect(await listSigned({})).toEqual(toConfig().networks.map(({ name }) => name));
  const remote = { FACILITATOR_PRIVATE_KEY: own, NETWORK_MAINNET_RPC_URL: "http://localhost:1" };
  expect(await listSigned(remote)).toEqual([]);
});

describe("FACILITATOR_PRIVATE_KEY", () => {
  it("replaces the node's own key, but never signs for a local chain with the ID of a mainnet", async () => {
    const { facilitator, simulated, payee } = await readAddresses(toConfig({ FACILITATOR_PRIVATE_KEY: own }));
    expect(facilitator).toBe(ownAddress);
    expect(simulated).not.toBe(ownAddress);
    expect(payee).not.toBe(ownAddress);
  });

  it("signs for a remote mainnet and receives its earnings", async () => {
    const env = { FACILITATOR_PRIVATE_KEY: own, NETWORK_MAINNET_RPC_URL: "http://localhost:1" };
    expect(await readAddresses(toConfig(env))).toEqual({
      facilitator: ownAddress,
      simulated: ownAddress,
      payee: ownAddress,
    });
  });
});
