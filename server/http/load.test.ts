/**
 * Tests the node over real HTTP while calls with endless loops run: all other requests get responses before those calls
 * end, a transaction is mined, and the executor's metrics show the running and waiting calls.
 */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { accounts } from "@/server/chain/testing/testChain";
import { createListener } from "@/server/http/listener";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const spinning = `0x${"c0".repeat(20)}`;
/** JUMPDEST, PUSH0, JUMP: loops until the gas runs out, which would take hours. */
const spin = [
  { to: spinning },
  "latest",
  { [spinning]: { code: "0x5b5f56" } },
  { gasLimit: `0x${(10n ** 14n).toString(16)}` },
];

let node: TestNode;
let url: string;
let closeListener: () => Promise<void>;

beforeAll(async () => {
  node = await createTestNode({
    limits: { callWorkers: 1, callQueue: 1, callTimeMs: 600_000, callGas: 10n ** 14n, bodyBytes: 100_000 },
  });
  const site = Promise.resolve({ findHandler: () => node.handler });
  const listener = await createListener({ port: 0, bodyBytes: 100_000, site });
  url = `http://localhost:${listener.port}/api/rpc`;
  closeListener = listener.close;
});
afterAll(async () => {
  await closeListener?.();
});

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

async function ask(method: string, params: unknown[] = []): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await response.json()) as Answer;
}

const readStatistics = async () => (await ask("admin_ethCallStatistics")).result as Record<string, string>;

it("responds, mines and reports metrics while one call never ends and another waits behind it", async () => {
  expect(await readStatistics()).toEqual({
    inactiveExecutors: "1",
    queuedRequests: "0",
    oldestRequestAgeMs: "0",
    averageRequestAgeMs: "0",
    totalRequests: "0",
    totalErrors: "0",
    queueRejections: "0",
  });
  const ended: string[] = [];
  const running = ask("eth_call", spin).finally(() => ended.push("running"));
  await vi.waitUntil(async () => (await readStatistics()).inactiveExecutors === "0", { timeout: 120_000 });
  const waiting = ask("eth_estimateGas", spin.slice(0, 3)).finally(() => ended.push("waiting"));
  await vi.waitUntil(async () => (await readStatistics()).queuedRequests === "1", { timeout: 120_000 });

  expect((await ask("debug_traceCall", [{ to: spinning }, "latest", {}])).error).toMatchObject({
    code: -32005,
    data: { limit: "callQueue" },
  });
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask("eth_blockNumber")));
  expect(answers.every(({ result }) => result === "0x0")).toBe(true);
  const raw = await accounts[0]!.signTransaction({
    type: "eip1559",
    chainId: node.network.chainId,
    nonce: 0,
    to: accounts[1]!.address,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
  expect((await ask("eth_sendRawTransactionSync", [raw, 10_000])).result).toMatchObject({ status: "0x1" });
  expect((await ask("eth_getBalance", [accounts[0]!.address, "0x0"])).result).toMatch(/^0x/);

  const { oldestRequestAgeMs, averageRequestAgeMs, ...counts } = await readStatistics();
  expect(counts).toEqual({
    inactiveExecutors: "0",
    queuedRequests: "1",
    totalRequests: "3",
    totalErrors: "1",
    queueRejections: "1",
  });
  expect(Number(oldestRequestAgeMs)).toBeGreaterThan(0);
  expect(Number(oldestRequestAgeMs)).toBeGreaterThanOrEqual(Number(averageRequestAgeMs));
  expect(ended).toEqual([]);

  // Closing the node ends the calls that are still running, and each gets an error.
  await node.close();
  expect((await running).error).toMatchObject({ code: -32000, message: "The executor is closed." });
  expect((await waiting).error).toMatchObject({ code: -32000, message: "The executor is closed." });
});
