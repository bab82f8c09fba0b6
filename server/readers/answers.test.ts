/**
 * The server with a reader, as it is started: whatever is asked, the reader's connection answers what the main process's
 * does, and what is counted is counted once.
 */
import { request as send } from "node:http";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type MethodName, methods } from "@/lib/rpc/methods";
import { type LiveExample, listLiveExamples } from "@/lib/rpc/schema/liveExamples";
import { getMethodNote } from "@/lib/rpc/schema/notes";
import { payFetch } from "@/lib/x402/payFetch";
import { root } from "@/server/bin/prepare.mjs";
import { loadConfig } from "@/server/config";
import { getDevAccount } from "@/server/devAccounts";
import { crowdMain, type Kept, keep, listReaders, openOn, until } from "@/server/readers/testing/kept";
import { type Builds, buildServer, type Started } from "@/server/readers/testing/startBuilt";
import { findShapeFault } from "@/server/rpc/testing/exchanges";
import { type Mined, signTransfer } from "@/server/testing/transfer";

const network = loadConfig({}, root).networks[0];

let builds: Builds;
let server: Started;
let port: number;
let reader: Kept;
let main: Kept;
beforeAll(async () => {
  builds = await buildServer("answers");
  server = await builds.start(1);
  port = server.port;
  [reader, main] = [await openOn("reader", port), await openOn("main", port)];
  for (let nonce = 0; nonce < 3; nonce++) {
    await reader.rpc("eth_sendRawTransactionSync", [await signTransfer(3, nonce), 10_000]);
  }
}, 300_000);
afterAll(async () => {
  for (const each of [reader, main]) each?.close();
  await server?.stop("SIGTERM");
  builds?.remove();
});

/** Filled from the chain, with what has to be asked first already asked. */
async function listExamples(method: MethodName): Promise<unknown[][]> {
  const request = ({ method: name, params }: { method: string; params?: unknown[] }) => main.rpc(name, params);
  const examples: LiveExample[] = await listLiveExamples(method, methods[method].examples, network, request as never);
  return Promise.all(
    examples.map(async ({ prepare, params }) =>
      prepare ? [await main.rpc(prepare.method, prepare.params), ...params.slice(1)] : params,
    ),
  );
}

const byEffect = (...effects: string[]) =>
  (Object.keys(methods) as MethodName[]).filter((name) => effects.includes(getMethodNote(name).effect));

it.each(byEffect("reads", "runs"))("%s is answered alike by reader and main", async (method) => {
  for (const params of await listExamples(method)) {
    const body = { jsonrpc: "2.0", id: "x", method, params };
    const [one, other, again] = [await reader.post(body), await main.post(body), await reader.post(body)];
    // Ids and ages differ from one time to the next with the same process too.
    if (one === again) expect(one).toBe(other);
    const [first, second] = [one, other].map((text) => JSON.parse(text));
    expect(Object.keys(first)).toEqual(Object.keys(second));
    if (first.result !== undefined) expect(findShapeFault(method, first.result)).toBeUndefined();
  }
});

it.each(byEffect("sends", "controls"))("%s is done over a reader's connection", async (method) => {
  for (const params of await listExamples(method)) {
    const { result, error } = JSON.parse(await reader.post({ jsonrpc: "2.0", id: 1, method, params }));
    if (error) expect(methods[method].examples.some(({ refused }: { refused?: true }) => refused)).toBe(true);
    else expect(findShapeFault(method, result)).toBeUndefined();
  }
  await main.rpc("anvil_reset");
});

it("answers reads itself and leaves the rest to main", async () => {
  const count = async () => (await listReaders(main))[0]!.requests;
  const asked = ["eth_blockNumber", "eth_feeHistory", "eth_call", "eth_getLogs", "explorer_getBlocks"] as const;
  const left = ["eth_gasPrice", "txpool_status", "eth_newBlockFilter", "explorer_getNodeStatus"] as const;
  let before = await count();
  // What was asked earlier is told with some delay.
  await until(async () => {
    const last = before;
    before = await count();
    return before === last;
  });
  for (const method of [...asked, ...left]) {
    for (const params of await listExamples(method)) {
      await reader.post({ jsonrpc: "2.0", id: 1, method, params });
    }
  }
  const examples = await Promise.all(asked.map(listExamples));
  await until(async () => (await count()) >= before + examples.flat().length);
  expect(await count()).toBe(before + examples.flat().length);
});

it("refuses in the same words and with the same headers", async () => {
  const bodies = ["", "{", "[]", "7", '{"method":7}', '{"jsonrpc":"2.0","id":1,"method":"no"}', "x".repeat(6_000_000)];
  const json = { "content-type": "application/json", "x-request-id": "a-1" };
  for (const body of bodies) {
    const [one, other] = await Promise.all(
      [keep(port), keep(port)].map((at) => at.send("POST", "/api/rpc/testnet", { headers: json, body })),
    );
    expect({ ...one, headers: { ...one!.headers, date: "" } }).toEqual({
      ...other,
      headers: { ...other!.headers, date: "" },
    });
  }
  const requests: [string, string][] = [
    ["GET", "/api/rpc/testnet"],
    ["OPTIONS", "/api/rpc/testnet"],
    ["HEAD", "/api/rpc"],
    ["PUT", "/api/rpc/testnet"],
    ["GET", "/api/nothing"],
    ["GET", "/nothing"],
    ["GET", "/.well-known/x402"],
  ];
  for (const [method, path] of requests) {
    const [one, other] = [await reader.send(method, path), await main.send(method, path)];
    expect([method, path, one.status, one.text]).toEqual([method, path, other.status, other.text]);
    expect({ ...one.headers, date: "" }).toEqual({ ...other.headers, date: "" });
  }
});

it("answers a batch in which some calls need main, in order", async () => {
  const calls = ["eth_chainId", "txpool_status", "eth_gasPrice", "eth_blockNumber", "eth_getFilterChanges"];
  const batch = calls.map((method, id) => ({ jsonrpc: "2.0", id, method, params: id === 4 ? ["0x1"] : [] }));
  expect(await reader.post(batch)).toBe(await main.post(batch));
});

it("counts what either answered as one", async () => {
  const count = async (at: Kept) => {
    const { methods: counted } = await at.rpc<{ methods: { method: string; requests: number }[] }>(
      "explorer_getNodeStatus",
    );
    return counted.find(({ method }) => method === "web3_sha3")?.requests ?? 0;
  };
  const before = await count(main);
  for (const at of [reader, main, reader]) await at.rpc("web3_sha3", ["0x12"]);
  await until(async () => (await count(main)) === before + 3);
  expect(await count(reader)).toBe(before + 3);
  const { text } = await reader.send("GET", "/api/metrics");
  expect(text).toMatch(
    new RegExp(`requests_total\\{network="testnet",method="web3_sha3",outcome="ok"\\} ${before + 3}\n`),
  );
});

it("serves subscriptions, the event stream and payments on a reader's connection", async () => {
  const leave = await crowdMain(8, port);
  const given = async () => (await listReaders(main))[0]!.accepted;
  const before = await given();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/rpc/testnet`);
  const messages: string[] = [];
  socket.on("message", (data) => messages.push(String(data)));
  await new Promise((resolve) => socket.once("open", resolve));
  expect(await given()).toBe(before + 1);
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
  await until(() => messages.length > 0);

  let streamed = "";
  const stream = send({ host: "127.0.0.1", port, path: "/api/stream/testnet", agent: false }, (answer) => {
    answer.on("data", (chunk) => {
      streamed += chunk;
    });
  });
  stream.end();
  await until(async () => streamed !== "");
  expect(await given()).toBe(before + 2);
  const mined = await reader.rpc<Mined>("eth_sendRawTransactionSync", [await signTransfer(4, 0), 10_000]);
  await until(() => messages.length > 1 && streamed.includes(mined.transactionHash));
  expect(JSON.parse(messages[1]!).params.result.number).toBe(mined.blockNumber);
  socket.terminate();
  stream.destroy();

  const { response, settlement } = await payFetch(`${server.origin}/api/paid/block-digest`, {
    signer: privateKeyToAccount(getDevAccount(5).privateKey) as never,
    spendLimits: [{ network: "eip155:10143", asset: network.tokens[0]!.address, maxUnits: 1_000_000n }],
  });
  expect(response.status).toBe(200);
  expect(await given()).toBeGreaterThan(before + 2);
  const receipt = await reader.rpc("eth_getTransactionReceipt", [settlement?.transaction]);
  expect(receipt).toMatchObject({ status: "0x1" });
  leave();
});
