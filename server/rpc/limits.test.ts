/**
 * Exceeds every configured limit over real HTTP and WebSocket on a complete node. In each case, the error's data names
 * the limit, and the node keeps responding.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { createWebSockets } from "@/server/api/websocket";
import { accounts } from "@/server/chain/testing/testChain";
import { type Limits, loadConfig } from "@/server/config/config";
import { limits as documented } from "@/server/config/environment.mjs";
import { createBodyMemory } from "@/server/http/bodyMemory";
import { createListener } from "@/server/http/listener";
import type { NetworkNode } from "@/server/node/networkOnDemand";
import { createNode, type Node } from "@/server/node/node";

const small = {
  bodyBytes: 20_000,
  openBodyBytes: 65_536,
  batchLength: 5,
  responseBytes: 30_000,
  logBlocks: 2,
  logResults: 1,
  traceBlocks: 2,
  feeHistoryBlocks: 3,
  callTimeMs: 1_000,
  callWorkers: 1,
  callQueue: 3,
  filters: 3,
  clientFilters: 2,
  subscriptions: 1,
  sockets: 1,
  socketSubscriptions: 2,
  poolTransactions: 3,
  poolPerSender: 2,
} satisfies Partial<Limits>;
/** Limits that these tests skip, because the facilitator's tests cover them or because no request can exceed them. */
const exempt = ["buildTimeMs", "callWorkers", "facilitatorRequests", "databaseConnections"];

let dataDir: string;
let node: Node;
let network: NetworkNode;
let origin: string;
let closeListener: () => Promise<void>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tollscan-limits-"));
  const config = loadConfig({ TOLLSCAN_DATA: dataDir }, dataDir);
  const limits = { ...config.limits, ...small };
  node = await createNode({ ...config, networks: [config.networks[0]], limits });
  network = [...node.networks.values()][0]!;
  const sockets = createWebSockets({ find: node.findSubscriptions, limits });
  const memory = createBodyMemory(limits.openBodyBytes);
  const site = Promise.resolve({ findHandler: node.findHandler, toRefusal: node.toRefusal, sockets });
  const listener = await createListener({ port: 0, bodyBytes: limits.bodyBytes, memory, site });
  origin = `127.0.0.1:${listener.port}`;
  closeListener = listener.close;
  // Mines three blocks. Each of the last two contains one token log.
  await mine(0, { to: accounts[1]!.address, value: 1n });
  await mine(0, transfer);
  await mine(0, transfer);
});
afterAll(async () => {
  await closeListener?.();
  await node?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
const toRequest = (method: string, params: unknown[] = []) => ({ jsonrpc: "2.0", id: 1, method, params });

async function post(body: unknown): Promise<Answer> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await (await fetch(`http://${origin}/api/rpc`, init)).json()) as Answer;
}
const ask = (method: string, params?: unknown[]) => post(toRequest(method, params));

const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);
const transfer = {
  get to() {
    return network.network.tokens[0]!.address;
  },
  data: encodeFunctionData({ abi, functionName: "transfer", args: [accounts[1]!.address, 1n] }),
};

async function sign(account: number, nonce: number, more: { to: `0x${string}`; data?: `0x${string}`; value?: bigint }) {
  return accounts[account]!.signTransaction({
    type: "eip1559",
    chainId: network.network.chainId,
    nonce,
    gas: 100_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
    ...more,
  });
}

async function mine(account: number, more: Parameters<typeof sign>[2]): Promise<void> {
  const { result } = await ask("eth_getTransactionCount", [accounts[account]!.address, "pending"]);
  const raw = await sign(account, Number(result), more);
  expect((await ask("eth_sendRawTransactionSync", [raw, 10_000])).result).toMatchObject({ status: "0x1" });
}

/** This transaction stays in the pool, because earlier nonces are missing. */
const queue = async (account: number, nonce: number) =>
  ask("eth_sendRawTransaction", [await sign(account, nonce, { to: accounts[1]!.address })]);

const contract = `0x${"c0".repeat(20)}`;
const withCode = (code: string, gasLimit?: string) => [
  { to: contract },
  "latest",
  { [contract]: { code } },
  ...(gasLimit ? [{ gasLimit }] : []),
];
/** Expands memory so far that no gas limit is high enough to pay for it. */
const greedy = withCode("0x63ffffffff51");
/** Multiplies on the bn254 curve in a loop (EIP-196). This takes the most time per unit of gas. */
const spin = withCode("0x60015f5260026020525f196040525b6040608060605f60075afa50600e56");

async function openSocket(): Promise<WebSocket> {
  const ws = new WebSocket(`ws://${origin}/api/rpc`);
  await once(ws, "open");
  return ws;
}

async function ended(ws: WebSocket): Promise<void> {
  ws.close();
  await once(ws, "close");
}

const named = (limit: string) => ({ error: { code: -32005, message: expect.any(String), data: { limit } } });

const readStatistics = async () => (await ask("admin_ethCallStatistics")).result as Record<string, string>;

/** Sends endless calls from one client, which occupy the worker and fill the queue. */
async function fillQueue(): Promise<Promise<Answer>[]> {
  const calls = Array.from({ length: small.callQueue + 1 }, () => ask("eth_call", spin));
  const isFull = async () => (await readStatistics()).queuedRequests === String(small.callQueue);
  await vi.waitUntil(isFull, { timeout: 120_000 });
  return calls;
}

/** Sends a request from the given address of this machine, so that it counts as another client. */
async function askFrom(localAddress: string, method: string, params: unknown[]): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const sent = request(`http://${origin}/api/rpc`, { method: "POST", headers, localAddress });
  sent.end(JSON.stringify(toRequest(method, params)));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return (await json(response)) as Answer;
}

const table: Record<string, () => Promise<void>> = {
  bodyBytes: async () => {
    expect(await ask("web3_sha3", [`0x${"00".repeat(small.bodyBytes)}`])).toMatchObject(named("bodyBytes"));
  },
  openBodyBytes: async () => {
    const headers = { "content-type": "application/json", "content-length": small.bodyBytes };
    const unfinished = Array.from({ length: 4 }, () => {
      const sent = request(`http://${origin}/api/rpc`, { method: "POST", headers });
      sent.write(" ".repeat(small.bodyBytes - 1));
      return sent;
    });
    const [response] = (await Promise.race(unfinished.map((sent) => once(sent, "response")))) as [IncomingMessage];
    expect(response.statusCode).toBe(503);
    expect(await json(response)).toMatchObject(named("openBodyBytes"));
    for (const sent of unfinished) sent.on("error", () => undefined).destroy();
  },
  batchLength: async () => {
    const batch = Array.from({ length: small.batchLength + 1 }, () => toRequest("eth_chainId"));
    expect(await post(batch)).toMatchObject(named("batchLength"));
  },
  responseBytes: async () => {
    expect(await ask("rpc.discover")).toMatchObject(named("responseBytes"));
    // If a trace exceeds the limit, it is aborted while it is still being built.
    const options = { stateOverrides: { [contract]: { code: "0x5b5f56" } }, enableMemory: true };
    const traced = await ask("debug_traceCall", [{ to: contract, gas: "0x100000" }, "latest", options]);
    expect(traced).toMatchObject(named("responseBytes"));
  },
  logBlocks: async () => {
    expect(await ask("eth_getLogs", [{ fromBlock: "earliest" }])).toMatchObject(named("logBlocks"));
    const { result: id } = await ask("eth_newFilter", [{ fromBlock: "earliest" }]);
    expect(await ask("eth_getFilterLogs", [id])).toMatchObject(named("logBlocks"));
    await ask("eth_uninstallFilter", [id]);
  },
  logResults: async () => {
    const { result: head } = await ask("eth_blockNumber");
    const fromBlock = `0x${(Number(head) - 1).toString(16)}`;
    expect(await ask("eth_getLogs", [{ fromBlock }])).toMatchObject(named("logResults"));
  },
  traceBlocks: async () => {
    expect(await ask("trace_filter", [{ fromBlock: "0x1", toBlock: "0x2", count: 1 }])).toHaveProperty(
      "result.length",
      1,
    );
    expect(await ask("trace_filter", [{ fromBlock: "0x0", toBlock: "0x2" }])).toMatchObject(named("traceBlocks"));
  },
  feeHistoryBlocks: async () => {
    expect(await ask("eth_feeHistory", ["0x4", "latest", []])).toMatchObject(named("feeHistoryBlocks"));
  },
  callGas: async () => {
    expect(await ask("eth_call", greedy)).toMatchObject(named("callGas"));
    // If a call runs out of gas because of the caller's own gas limit, it hasn't exceeded the node's limit.
    const own = await ask("eth_call", [{ to: contract, gas: "0x20000" }, ...greedy.slice(1)]);
    expect(own.error).toEqual({ code: -32000, message: "out of gas" });
  },
  callTimeMs: async () => {
    expect(await ask("eth_call", spin)).toMatchObject(named("callTimeMs"));
  },
  callQueue: async () => {
    const { queueRejections: before } = await readStatistics();
    const busy = await fillQueue();
    expect(await ask("eth_call", spin)).toMatchObject(named("callQueue"));
    expect(Number((await readStatistics()).queueRejections)).toBe(Number(before) + 1);
    await Promise.all(busy);
  },
  clientFilters: async () => {
    const { result: first } = await ask("eth_newBlockFilter");
    const { result: second } = await ask("eth_newPendingTransactionFilter");
    expect(await ask("eth_newFilter", [{}])).toMatchObject(named("clientFilters"));
    // The limit doesn't affect another client.
    const other = await network.request({ method: "eth_newBlockFilter" });
    for (const id of [first, second, other]) await ask("eth_uninstallFilter", [id]);
  },
  filters: async () => {
    const ids = [await network.request({ method: "eth_newBlockFilter" })];
    ids.push(await network.request({ method: "eth_newBlockFilter" }));
    ids.push((await ask("eth_newBlockFilter")).result);
    expect(await ask("eth_newBlockFilter")).toMatchObject(named("filters"));
    for (const id of ids) await ask("eth_uninstallFilter", [id]);
  },
  subscriptions: async () => {
    const stop = new AbortController();
    const first = await fetch(`http://${origin}/api/stream`, { signal: stop.signal });
    expect(first.status).toBe(200);
    const second = await fetch(`http://${origin}/api/stream`);
    expect([second.status, await second.text()]).toEqual([
      503,
      expect.stringContaining("TOLLSCAN_LIMIT_SUBSCRIPTIONS"),
    ]);
    stop.abort();
  },
  sockets: async () => {
    const first = await openSocket();
    const second = new WebSocket(`ws://${origin}/api/rpc`);
    const [, response] = await once(second, "unexpected-response");
    let text = "";
    for await (const chunk of response) text += chunk;
    expect([response.statusCode, text]).toEqual([503, expect.stringContaining("TOLLSCAN_LIMIT_SOCKETS")]);
    await ended(first);
  },
  socketSubscriptions: async () => {
    const ws = await openSocket();
    const answers: Answer[] = [];
    ws.on("message", (data) => answers.push(JSON.parse(String(data))));
    for (let times = 0; times <= small.socketSubscriptions; times++) {
      ws.send(JSON.stringify(toRequest("eth_subscribe", ["newHeads"])));
    }
    await vi.waitUntil(() => answers.length > small.socketSubscriptions, { timeout: 120_000 });
    expect(answers.filter(({ error }) => error)).toMatchObject([named("socketSubscriptions")]);
    await ended(ws);
  },
  // These limits use geth's error messages, which clients recognize.
  poolPerSender: async () => {
    for (const nonce of [5, 6]) expect((await queue(2, nonce)).error).toBeUndefined();
    expect((await queue(2, 7)).error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^account limit exceeded/),
    });
  },
  poolTransactions: async () => {
    expect((await queue(3, 5)).error).toBeUndefined();
    expect((await queue(4, 5)).error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^txpool is full/),
    });
  },
};

it.each(Object.entries(table))(
  "reports that a request exceeds the limit %s, and keeps responding",
  async (_, exceed) => {
    await exceed();
    expect((await ask("eth_chainId")).result).toBe(`0x${network.network.chainId.toString(16)}`);
  },
);

it("has a test for every configured limit", () => {
  const names = documented.map(({ limit }) => limit);
  expect(names.filter((name) => !(name in table) && !exempt.includes(name))).toEqual([]);
});

it("runs another client's trivial trace while one client fills the queue with endless calls", async () => {
  const busy = await fillQueue();
  const traced = await askFrom("127.0.0.2", "debug_traceCall", [{ to: contract }, "latest", { tracer: "callTracer" }]);
  expect(traced.result).toMatchObject({ type: "CALL", to: contract });
  // To make room in the queue, the node dropped the first client's newest call.
  const answers = await Promise.all(busy);
  expect(answers.filter(({ error }) => (error?.data as { limit?: string })?.limit === "callQueue")).toHaveLength(1);
});
