/**
 * Tests the server in the form that `npm start` runs: bundled into a few files. The worker threads run from these files
 * too.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getDevAccount } from "@/server/config/devAccounts";
import { permit2CreationCode } from "@/server/contracts/publicCode";
import { getServerCode, type ServerProcess, startServer } from "@/server/testing/serverProcess";

const code = dirname(await getServerCode());
const data = mkdtempSync(join(tmpdir(), "tollscan-bundle-"));
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ TOLLSCAN_DATA: data });
});
afterAll(async () => {
  await server?.stop("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

async function ask<T>(path: string, body?: object): Promise<T> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(server.origin + path, body ? init : {});
  return (await answer.json()) as T;
}
const rpc = async <T>(method: string, params: unknown[]) => {
  const { result } = await ask<{ result: T }>("/api/rpc", { jsonrpc: "2.0", id: 1, method, params });
  return result;
};

it("produces a few files that run without a compiler", () => {
  expect(readdirSync(code).length).toBeLessThan(60);
  expect(server.child.spawnargs.join(" ")).not.toContain("typescript.mjs");
});

it("contains the code of the public contracts", () => {
  // The bundler breaks long lines, even within strings.
  const files = readdirSync(code).map((file) => readFileSync(join(code, file), "utf8").replaceAll("\\\n", ""));
  expect(files.filter((text) => text.includes(permit2CreationCode))).toHaveLength(1);
  expect(files.filter((text) => text.includes("publicContracts.json"))).toEqual([]);
});

it("builds blocks, and runs long calls in worker threads", async () => {
  const { privateKey } = getDevAccount(0);
  const raw = await privateKeyToAccount(privateKey).signTransaction({
    chainId: 10143,
    nonce: 0,
    to: `0x${"ab".repeat(20)}`,
    value: 7n,
    gas: 21_000n,
    gasPrice: 10n ** 11n,
  });
  const hash = await rpc<string>("eth_sendRawTransaction", [raw]);
  let receipt: { status: string } | null = null;
  for (let tries = 0; tries < 300 && !receipt; tries++) {
    receipt = await rpc<{ status: string } | null>("eth_getTransactionReceipt", [hash]);
    if (!receipt) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(receipt).toMatchObject({ status: "0x1" });
  // The contract is an endless loop (JUMPDEST PUSH0 JUMP), so the call must run in a worker thread.
  const call = { to: `0x${"cd".repeat(20)}`, gas: "0x1000000" };
  const answer = await ask("/api/rpc", {
    jsonrpc: "2.0",
    id: 1,
    method: "eth_call",
    params: [call, "latest", { [call.to]: { code: "0x5b5f56" } }],
  });
  expect(answer).toMatchObject({ error: { message: expect.stringContaining("out of gas") } });
});
