/**
 * The servers of the JSON-RPC benchmark, each a separate process: our node without its pages, anvil, and a bare HTTP
 * server. Both chains have the same ID, funded accounts and token.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hex, numberToHex } from "viem";
import { pause } from "@/lib/pause";
import { bundleServer } from "@/server/bin/bundle.mjs";
import { findAnvil } from "@/server/testing/anvilProcess";
import { findFreePort } from "@/server/testing/findFreePort";
import { chainId, token, toNetworksFile, toTokenGenesis } from "@/server/tools/bench/exactTerms";
import { askRpc } from "@/server/tools/bench/jsonRpc";
import { payers } from "@/server/tools/bench/sides";
import { readTreeMemory, readTreeProcessorMs } from "@/server/tools/processTree";

const root = join(import.meta.dirname, "../../..");
const balanceWei = 10n ** 24n;
const units = 10n ** 14n;

export type RpcSide = {
  name: string;
  port: number;
  path: string;
  url: string;
  /** Set for a server that always sends the same response and has no chain. */
  isBare?: boolean;
  /** Milliseconds from the start of the process until its first response. */
  startMs: number;
  rpc(method: string, params: unknown[]): Promise<unknown>;
  /** Mines the given transactions in one block. */
  mineTogether(raws: readonly string[]): Promise<void>;
  /**
   * Returns the CPU time in seconds that the process and its children have used so far, or NaN if the system does not
   * report it.
   */
  cpuSeconds(): number;
  /** Returns the resident memory in MB of the process and its children, or NaN if the system does not report it. */
  memoryMb(): number;
  close(): Promise<void>;
};

let serverCode: Promise<string> | undefined;

/**
 * Bundles the server from the current sources, in the same way as for `npm start`. The bundle is deleted when this
 * process ends.
 */
function getServerCode(): Promise<string> {
  if (serverCode) return serverCode;
  const codeFolder = join(root, "node_modules/.cache", `bench-${process.pid}`);
  process.once("exit", () => rmSync(codeFolder, { recursive: true, force: true }));
  serverCode = bundleServer(root, codeFolder);
  return serverCode;
}

type StartOptions = {
  flags?: readonly string[];
  /** An existing data folder. Without one, the server starts a new chain. */
  dataDir?: string;
  /** Additional accounts that start with native value and tokens. */
  holders?: readonly Hex[];
};

const listFunded = (holders: readonly Hex[]) => [...payers.map(({ address }) => address), ...holders];

/** Starts our server, by default with a new chain in a temporary folder. */
export async function startOurNode({ flags = [], dataDir, holders = [] }: StartOptions = {}): Promise<RpcSide> {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-rpc-"));
  const allocations = listFunded(holders).map((address) => ({ address, wei: balanceWei, units }));
  writeFileSync(join(folder, "networks.json"), toNetworksFile("bench", allocations));
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    TOLLSCAN_DATA: dataDir ?? join(folder, "data"),
    TOLLSCAN_NETWORKS: join(folder, "networks.json"),
    TOLLSCAN_LIMIT_POOL_TRANSACTIONS: "100000",
    TOLLSCAN_LIMIT_POOL_PER_SENDER: "10000",
    // This limit is high, so that heavy calls don't fail on a busy machine.
    TOLLSCAN_LIMIT_CALL_TIME_MS: "60000",
  };
  const args = ["--max-semi-space-size=8", ...flags, await getServerCode(), "--no-pages"];
  const side = await start({ name: "Tollscan", file: process.execPath, args, env, port, path: "/api/rpc/bench" });
  return {
    ...side,
    async mineTogether(raws) {
      // Sends the first transaction last. It has the lowest nonce, so the other transactions can't be mined before it
      // arrives.
      for (const raw of [...raws.slice(1), ...raws.slice(0, 1)]) await side.rpc("eth_sendRawTransaction", [raw]);
    },
    async close() {
      await side.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the anvil that npm installed. It mines each transaction at once. */
export async function startAnvil(holders: readonly Hex[] = []): Promise<RpcSide> {
  const folder = mkdtempSync(join(tmpdir(), "anvil-rpc-"));
  const genesis = join(folder, "genesis.json");
  writeFileSync(genesis, toGenesisFile(listFunded(holders)));
  const port = await findFreePort();
  const args = ["--chain-id", String(chainId), "--port", String(port), "--init", genesis, "--silent"];
  const side = await start({ name: "anvil", file: findAnvil(), args, env: {}, port, path: "/" });
  const { rpc } = side;
  rmSync(folder, { recursive: true, force: true });
  return {
    ...side,
    async mineTogether(raws) {
      await rpc("evm_setAutomine", [false]);
      for (const raw of raws) await rpc("eth_sendRawTransaction", [raw]);
      await rpc("anvil_mine", ["0x1"]);
      await rpc("evm_setAutomine", [true]);
    },
  };
}

/** Creates a genesis file in the format that geth and anvil read. */
function toGenesisFile(funded: readonly Hex[]): string {
  const { code, nonce, storage } = toTokenGenesis(
    funded[0]!,
    funded.map((address) => ({ address })),
    units,
  );
  const wei = numberToHex(balanceWei);
  return JSON.stringify({
    config: { chainId },
    difficulty: "0x0",
    gasLimit: numberToHex(30_000_000),
    // Without a timestamp, anvil's clock starts at 0. During the first second, authorizations with `validAfter` 0 would
    // then fail.
    timestamp: numberToHex(Math.floor(Date.now() / 1000)),
    alloc: {
      ...Object.fromEntries(funded.map((address) => [address, { balance: wei }])),
      [token]: { balance: "0x0", nonce: numberToHex(nonce ?? 1), code, storage },
    },
  });
}

/**
 * Starts a node:http server that reads the body and sends a constant response. It shows the minimum cost of any server
 * on node:http.
 */
export async function startBareServer(): Promise<RpcSide> {
  const port = await findFreePort();
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: numberToHex(chainId) });
  const headers = { "content-type": "application/json", "content-length": text.length };
  const code = `require("node:http").createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    req.on("data", () => undefined).on("end", () => res.writeHead(200, ${JSON.stringify(headers)}).end(${JSON.stringify(text)}));
  }).listen(${port}, "127.0.0.1")`;
  const side = await start({
    name: "bare node:http",
    file: process.execPath,
    args: ["-e", code],
    env: {},
    port,
    path: "/",
  });
  return { ...side, isBare: true, mineTogether: () => Promise.reject(new Error("A bare server mines nothing.")) };
}

type Process = { name: string; file: string; args: string[]; env: Record<string, string>; port: number; path: string };

async function start({ name, file, args, env, port, path }: Process): Promise<Omit<RpcSide, "mineTogether">> {
  const { PATH, HOME, TMPDIR } = process.env;
  const url = `http://127.0.0.1:${port}${path}`;
  const startedMs = performance.now();
  const child = spawn(file, args, {
    cwd: root,
    env: { PATH, HOME, TMPDIR, NODE_ENV: "production", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  await waitForAnswer(child, url);
  return {
    name,
    port,
    path,
    url,
    startMs: performance.now() - startedMs,
    rpc: (method, params) => askRpc(url, method, params),
    cpuSeconds: () => (readTreeProcessorMs(child.pid!) ?? Number.NaN) / 1_000,
    memoryMb: () => (readTreeMemory(child.pid!) ?? Number.NaN) / 2 ** 20,
    async close() {
      process.off("exit", killAtExit);
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function waitForAnswer(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`A node exited with code ${child.exitCode} before its first response.`);
    const id = await askRpc(url, "eth_chainId", []).catch(() => undefined);
    if (id === numberToHex(chainId)) return;
    await pause(2);
  }
}
