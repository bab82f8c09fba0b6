/**
 * Tests the state file: exchanging it between Tollscan and the anvil program, keeping it across restarts, and rejecting
 * files that can't be used.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { createNode } from "@/server/node/node";
import { startAnvilProcess } from "@/server/testing/anvilProcess";

const folder = mkdtempSync(join(tmpdir(), "tollscan-state-"));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const toPath = () => join(folder, String(files++));
const from = getDevAccount(0).address;
const to = `0x${"5a".repeat(20)}`;
const code = "0x60aa";

type Tell = (method: string, params?: unknown[]) => Promise<unknown>;

async function open(settings: Record<string, string>, data = toPath()) {
  const env = {
    TOLLSCAN_NETWORKS: "local,testnet",
    TOLLSCAN_DATA: data,
    TOLLSCAN_LIMIT_CALL_WORKERS: "1",
    ...settings,
  };
  const node = await createNode(loadConfig(env, folder));
  const [network] = node.networks.values();
  const tell: Tell = (method, params = []) => network!.request({ method, params });
  return { tell, close: () => node.close() };
}

async function act(tell: Tell): Promise<void> {
  await tell("anvil_setCode", [to, code]);
  await tell("eth_sendTransaction", [{ from, to, value: "0x5" }]);
  await tell("evm_mine");
}

const read = async (tell: Tell) => ({
  number: await tell("eth_blockNumber"),
  nonce: await tell("eth_getTransactionCount", [from, "latest"]),
  balances: [await tell("eth_getBalance", [from, "latest"]), await tell("eth_getBalance", [to, "latest"])],
  code: await tell("eth_getCode", [to, "latest"]),
});

describe("the state file", () => {
  it("carries the state from anvil to our node", async () => {
    const file = toPath();
    const anvil = await startAnvilProcess(["--port", "0", "--hardfork", "osaka", "--dump-state", file]);
    await act(anvil.tell);
    const expected = await read(anvil.tell);
    await anvil.stop();
    const { tell, close } = await open({ TOLLSCAN_LOAD_STATE: file });
    expect(await read(tell)).toEqual(expected);
    await close();
  });

  it("carries the state from our node to anvil", async () => {
    const file = toPath();
    const { tell, close } = await open({ TOLLSCAN_DUMP_STATE: file });
    await act(tell);
    const expected = await read(tell);
    await close();
    const anvil = await startAnvilProcess(["--port", "0", "--hardfork", "osaka", "--load-state", file]);
    expect(await read(anvil.tell)).toEqual(expected);
    await anvil.stop();
  });

  it("keeps the state over restarts, and may be missing at first", async () => {
    const settings = { TOLLSCAN_STATE: toPath() };
    const first = await open(settings);
    await act(first.tell);
    const expected = await read(first.tell);
    await first.close();
    const second = await open(settings);
    expect(await read(second.tell)).toEqual(expected);
    await second.close();
  });

  it("is state.json if the path is a folder, and has the state of a network that was never used", async () => {
    const path = toPath();
    mkdirSync(path);
    const { close } = await open({ TOLLSCAN_STATE: path });
    await close();
    expect(readdirSync(path)).toEqual(["state.json"]);
    const { accounts } = JSON.parse(readFileSync(join(path, "state.json"), "utf8"));
    expect(accounts[from.toLowerCase()]).toMatchObject({ nonce: 0, balance: "0x21e19e0c9bab2400000" });
  });

  it("can be gzipped", async () => {
    const file = toPath();
    writeFileSync(file, gzipSync(JSON.stringify({ accounts: { [to]: { balance: "0x7" } } })));
    const { tell, close } = await open({ TOLLSCAN_LOAD_STATE: file });
    expect(await tell("eth_getBalance", [to, "latest"])).toBe("0x7");
    await close();
  });
});

it("loads a state that takes longer than a call may", async () => {
  const file = toPath();
  const slots = Object.fromEntries(Array.from({ length: 20_000 }, (_, slot) => [`0x${slot.toString(16)}`, "0x7"]));
  writeFileSync(file, JSON.stringify({ accounts: { [to]: { balance: "0x1", storage: slots } } }));
  const { tell, close } = await open({ TOLLSCAN_LOAD_STATE: file, TOLLSCAN_LIMIT_CALL_TIME_MS: "10" });
  expect(BigInt((await tell("eth_getStorageAt", [to, "0x4e1f", "latest"])) as string)).toBe(7n);
  await close();
});

describe("a state file that can't be used", () => {
  const damaged = toPath();
  writeFileSync(damaged, '{"accounts": {');
  const other = toPath();
  writeFileSync(other, '{"networks": []}');

  it.each([
    ["TOLLSCAN_LOAD_STATE", join(folder, "missing"), /^The state file \S+missing cannot be read: it does not exist\.$/],
    ["TOLLSCAN_STATE", damaged, /^\S+: The state is neither JSON nor gzipped JSON\.$/],
    ["TOLLSCAN_LOAD_STATE", other, /^\S+: The state is not in anvil's format: accounts: [^\n]+\.$/],
    [
      "TOLLSCAN_DUMP_STATE",
      join(folder, "no/file"),
      /^The state file \S+ cannot be written: its folder does not exist\.$/,
    ],
  ])("rejects the start before anything is written (%s, %s)", async (name, file, message) => {
    const before = existsSync(file) && readFileSync(file, "utf8");
    const data = toPath();
    await expect(open({ [name]: file }, data)).rejects.toMatchObject({
      code: "CONFIG",
      message: expect.stringMatching(message),
    });
    expect(existsSync(data)).toBe(false);
    expect(existsSync(file) && readFileSync(file, "utf8")).toBe(before);
  });
});
