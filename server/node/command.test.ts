/** Tests the `tollscan` command: its options, the arguments that it rejects, and the files that it leaves behind. */
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { root } from "@/server/bin/prepare.mjs";
import { flags, nameOptions, readCommandLine, toHelp } from "@/server/config/commandLine.mjs";
import { variables } from "@/server/config/environment.mjs";
import { consoleAddress } from "@/server/evm/console";
import { assemble } from "@/server/execution/testing/assemble";
import { subcommands } from "@/server/node/subcommands";
import { getServerCode, runToEnd, spawnNode } from "@/server/testing/serverProcess";

const folder = mkdtempSync(join(tmpdir(), "tollscan-command-"));
const command = join(dirname(await getServerCode()), "command.mjs");
/** The temporary folder for the command, which must delete everything it writes there. */
const temporary = join(folder, "temporary");
const data = join(folder, "data");
beforeEach(() => {
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the options", () => {
  it("stand for environment variables", () => {
    const { flags: given, settings } = readCommandLine(["--port=0", "--networks", "testnet,mainnet", "--json", "-h"]);
    expect(settings).toEqual({ PORT: "0", TOLLSCAN_NETWORKS: "testnet,mainnet" });
    expect([...given]).toEqual(["json", "help"]);
  });

  it("include flags and single letters, as in anvil", () => {
    const { settings } = readCommandLine(["-b", "2", "--mixed-mining", "-a", "3", "-m", "a b c", "--no-mining"]);
    expect(settings).toEqual({
      TOLLSCAN_BLOCK_TIME: "2",
      TOLLSCAN_MIXED_MINING: "on",
      TOLLSCAN_ACCOUNTS: "3",
      TOLLSCAN_MNEMONIC: "a b c",
      TOLLSCAN_NO_MINING: "on",
    });
  });

  it.each([
    [["--prot", "1"], '"--prot" is not an option; --help lists the options.'],
    [["start"], '"start" is not an option; --help lists the options.'],
    [["--port"], "--port needs a value, as in --port 3001."],
    [["--data", "--json"], "--data needs a value, as in --data .tollscan."],
    [["--json=1"], "--json takes no value."],
    [["--no-mining=on"], "--no-mining takes no value."],
    [["-b"], "-b needs a value, as in -b 2."],
  ])("reject %j with a clear message", (args, sentence) => {
    expect(() => readCommandLine(args)).toThrow(sentence);
  });

  it("replace their variables in error messages", () => {
    const line = readCommandLine(["--port", "x"]);
    expect(nameOptions("PORT must be a number. HOST is wrong.", line)).toBe("--port must be a number. HOST is wrong.");
  });

  it("are in the README", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const rows = [...readme.matchAll(/^\| `--([a-z-]+)`(?:, `-(\w)`)? \| (.+) \|$/gm)];
    expect(rows.map(([, option, short, meaning]) => ({ option, ...(short && { short }), meaning }))).toEqual(flags);
  });

  it("are all in the help, together with every other variable", () => {
    const help = toHelp(subcommands);
    for (const { name, option } of variables) expect(help).toContain(option ? `--${option} ` : `  ${name}\n`);
  });
});

it.each([
  [["--port", "x"], '--port must be a whole number from 0 to 65535, but is "x".'],
  [["--networks", "nowhere"], "--networks"],
  [["--nothing"], '"--nothing" is not an option'],
  [["--state", "a", "--dump-state", "b"], "--state and --dump-state can't be combined"],
  [["--load-state", "missing.json"], "missing.json cannot be read: it does not exist"],
])("refuses %j with exit code 2 before it writes anything", async (args, sentence) => {
  const { code, stdout, stderr } = await runToEnd([command, ...args], { TMPDIR: temporary, TOLLSCAN_DATA: data });
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  expect(stderr).toContain(sentence);
  expect(existsSync(data)).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
});

it.each([
  [">=99.0", `Tollscan needs Node 99.0 or newer, but this is Node ${process.versions.node}; install a newer one.\n`],
  [">=22.18", "Tollscan is not built; run npm start, which builds it.\n"],
])("explains why it cannot run (Node %s, without a build)", async (node, sentence) => {
  const place = mkdtempSync(join(folder, "unbuilt-"));
  cpSync(join(root, "bin"), join(place, "bin"), { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ engines: { node } }));
  const { code, stderr } = await runToEnd([join(place, "bin/tollscan.mjs")], {});
  expect({ code, stderr }).toEqual({ code: 1, stderr: sentence });
});

it("refers to --port if the port is in use", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { stderr } = await runToEnd([command, "--no-pages", "--port", String(port)], { TMPDIR: temporary });
  holder.close();
  expect(stderr).toBe(`Port ${port} is in use; choose another one with --port.\n`);
  expect(readdirSync(temporary)).toEqual([]);
});

async function startCommand(args: string[], variables: Record<string, string> = {}) {
  const env = { TMPDIR: temporary, ...variables };
  const { child, outcome, ended } = spawnNode([command, "--no-pages", "--port", "0", "--json", ...args], env, ["ipc"]);
  await Promise.race([once(child.stdout, "data"), ended]);
  const line = JSON.parse(outcome.stdout);
  const stop = () => {
    process.kill(line.pid, "SIGTERM");
    return ended;
  };
  return { line, stop };
}

it("describes the server in one line of JSON, and deletes its data when it ends", async () => {
  const { line, stop } = await startCommand(["--networks", "base-sepolia"]);
  expect(line).toMatchObject({
    url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    networks: [{ name: "base-sepolia", chainId: 84532, rpcUrl: `${line.url}/api/rpc/base-sepolia` }],
    facilitatorUrl: `${line.url}/api/facilitator`,
    dataFolder: null,
  });
  expect(line.accounts).toHaveLength(10);
  expect(line.accounts[0]).toEqual({
    address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  });
  expect(await (await fetch(`${line.url}/api/health`)).json()).toMatchObject({ status: "ok", persistent: false });
  expect(readdirSync(temporary).filter((name) => name.startsWith("tollscan-"))).toHaveLength(1);
  expect((await stop()).code).toBe(0);
  expect(readdirSync(temporary).filter((name) => name.startsWith("tollscan-"))).toEqual([]);
});

it.each([
  { args: [], lines: 1 },
  { args: ["--silent"], lines: 0 },
])("logs a contract's console.log call $lines times with $args", async ({ args, lines }) => {
  const { line, stop } = await startCommand(["--networks", "local", ...args]);
  const to = "0x0000000000000000000000000000000000000010";
  const logInput = ["CALLDATASIZE", 0, 0, "CALLDATACOPY", 0, 0, "CALLDATASIZE", 0, BigInt(consoleAddress)] as const;
  const overrides = { [to]: { code: assemble(...logInput, "GAS", "STATICCALL") } };
  const data = encodeFunctionData({ abi: parseAbi(["function log(string)"]), args: ["hello"] });
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "eth_call",
    params: [{ to, data }, "latest", overrides],
  });
  const response = await fetch(line.url, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(await response.json()).toMatchObject({ result: "0x" });
  const { stderr } = await stop();
  expect(stderr.match(/console\.log .*text=hello/g) ?? []).toHaveLength(lines);
});

it.runIf(process.platform === "linux")("opens the explorer with --open", async () => {
  const programs = join(folder, "programs");
  const opened = join(folder, "opened");
  mkdirSync(programs);
  writeFileSync(join(programs, "xdg-open"), `#!/bin/sh\necho "$1" > "${opened}"\n`, { mode: 0o755 });
  const { line, stop } = await startCommand(["--open"], { PATH: programs });
  await expect.poll(() => existsSync(opened) && readFileSync(opened, "utf8")).toBe(`${line.url}\n`);
  await stop();
});

it("keeps its data with --data", async () => {
  const { line, stop } = await startCommand(["--data", data]);
  expect(line.dataFolder).toBe(data);
  expect(await (await fetch(`${line.url}/api/health`)).json()).toMatchObject({ persistent: true });
  await stop();
  expect(existsSync(data)).toBe(true);
});
