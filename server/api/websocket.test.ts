/** Tests JSON-RPC over WebSocket on a real listener and node, with viem and raw frames as clients. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, createWalletClient, defineChain, http, parseAbi, webSocket } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createWebSockets } from "@/server/api/websocket";
import { type Config, loadConfig } from "@/server/config/config";
import { listDevAccounts } from "@/server/config/devAccounts";
import { createBodyMemory } from "@/server/http/bodyMemory";
import { createListener, type WebSockets } from "@/server/http/listener";
import { createNode, type Node } from "@/server/node/node";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

const keys = listDevAccounts().map(({ privateKey }) => privateKey);
const limits = { bodyBytes: 20_000, batchLength: 10, sockets: 4, socketSubscriptions: 3 };
const erc20 = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function transfer(address to, uint256 value) returns (bool)",
]);

let dataDir: string;
let config: Config;
let node: Node;
let port: number;
let sockets: WebSockets;
let closeListener: () => Promise<void>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tollscan-sockets-"));
  const whole = loadConfig({ TOLLSCAN_DATA: dataDir }, dataDir);
  config = { ...whole, limits: { ...whole.limits, ...limits } };
  node = await createNode(config);
  const memory = createBodyMemory(60_000);
  sockets = createWebSockets({ find: node.findSubscriptions, limits: config.limits, memory, pingIntervalMs: 2_000 });
  const site = Promise.resolve({ findHandler: node.findHandler, sockets });
  const listener = await createListener({ port: 0, bodyBytes: config.limits.bodyBytes, site });
  port = listener.port;
  closeListener = listener.close;
});
afterAll(async () => {
  await closeListener?.();
  await node?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const open: WebSocket[] = [];
afterEach(async () => {
  for (const ws of open.splice(0)) ws.terminate();
  await vi.waitFor(() => expect(sockets.count()).toBe(0), { timeout: 120_000 });
});

const url = (path = "/api/rpc") => `ws://localhost:${port}${path}`;

// biome-ignore lint/suspicious/noExplicitAny: the tests are about these raw messages
type Wire = any;
type Message = { id?: unknown; result?: Wire; error?: { code: number; message: string; data?: Wire }; params?: Wire };

const toSession = (receive: () => Promise<void>) => ({ receive, subscriptionCount: () => 0, close: () => undefined });

/** A client that keeps every message it gets. */
async function openSocket(path?: string, options?: { headers?: Record<string, string>; localAddress?: string }) {
  const ws = new WebSocket(options?.localAddress ? url(path).replace("localhost", "127.0.0.1") : url(path), options);
  const messages: Message[] = [];
  ws.on("message", (data) => messages.push(JSON.parse(String(data))));
  open.push(ws);
  await once(ws, "open");
  let lastId = 0;
  const find = (id: unknown) => messages.find((message) => message.id === id);
  return {
    ws,
    messages,
    events: (subscription: string) =>
      messages.filter(({ params }) => params?.subscription === subscription).map(({ params }) => params.result),
    async ask(method: string, params: unknown[] = []): Promise<Message> {
      lastId += 1;
      const id = lastId;
      ws.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return vi.waitUntil(() => find(id), { timeout: 120_000 });
    },
    /** Sends this text and returns the next message. */
    async say(text: string | Uint8Array): Promise<Wire> {
      const before = messages.length;
      ws.send(text);
      return vi.waitUntil(() => messages[before], { timeout: 120_000 });
    },
  };
}

/** A client's text frame, masked with zeros. */
function toFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

/** A connection after its handshake; the test writes the frames itself. */
async function openRaw(at = port): Promise<Socket> {
  const socket = connect(at, "localhost");
  socket.on("error", () => undefined);
  const head = ["GET /api/rpc HTTP/1.1", "host: localhost", "connection: Upgrade", "upgrade: websocket"];
  const key = ["sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="];
  socket.write(`${[...head, ...key].join("\r\n")}\r\n\r\n`);
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 101/);
  socket.resume();
  return socket;
}

const chain = () => {
  const [network] = config.networks;
  const rpcUrls = { default: { http: [`http://localhost:${port}/api/rpc`], webSocket: [url()] } };
  return defineChain({ id: network.chainId, name: network.label, nativeCurrency: network.nativeCurrency, rpcUrls });
};
const createWallet = (account: number) =>
  createWalletClient({ account: privateKeyToAccount(keys[account]!), chain: chain(), transport: http() });

/** Transfers one wei from a funded account and waits until the transaction is mined. */
async function transfer(account = 0) {
  const hash = await createWallet(account).sendTransaction({ to: `0x${"99".repeat(20)}`, value: 1n });
  const reader = createPublicClient({ chain: chain(), transport: http(), pollingInterval: 20 });
  return waitForReceipt(reader, hash);
}

describe("viem's WebSocket transport", () => {
  test("watches blocks, token events and new transactions, and stops", async () => {
    const client = createPublicClient({
      chain: chain(),
      pollingInterval: 20,
      transport: webSocket(url(), { reconnect: false, keepAlive: false }),
    });
    const token = config.networks[0].tokens[0]!.address;
    const payer = privateKeyToAccount(keys[1]!).address;
    const [blocks, values, hashes]: [bigint[], unknown[], string[]] = [[], [], []];
    const failed: unknown[] = [];
    const onError = (error: unknown) => failed.push(error);
    const stops = [
      client.watchBlocks({ onBlock: ({ number }) => blocks.push(number), onError }),
      client.watchEvent({
        address: token,
        event: erc20[0],
        args: { from: payer },
        onLogs: (logs) => values.push(...logs.map(({ args }) => args.value)),
        onError,
      }),
      client.watchPendingTransactions({ onTransactions: (found) => hashes.push(...found), onError }),
    ];
    // This request uses the same socket as the subscriptions, so its response arrives after the responses to the
    // subscription requests.
    expect(await client.getChainId()).toBe(config.networks[0].chainId);
    const start = await client.getBlockNumber({ cacheTime: 0 });

    const wallet = createWallet(1);
    const first = await transfer();
    const args = [privateKeyToAccount(keys[2]!).address, 1_234n] as const;
    const paid = await wallet.writeContract({ address: token, abi: erc20, functionName: "transfer", args });
    const receipt = await waitForReceipt(client, paid);
    expect(receipt.status).toBe("success");
    await vi.waitFor(() => expect(blocks.at(-1)).toBe(receipt.blockNumber), { timeout: 120_000 });
    expect(blocks).toEqual([start + 1n, start + 2n]);
    expect(values).toEqual([1_234n]);
    expect(hashes).toEqual([first.transactionHash, paid]);
    expect(failed).toEqual([]);

    for (const stop of stops) stop();
    // The three unsubscriptions were sent before this request, so their responses come first.
    await client.getBlockNumber({ cacheTime: 0 });
    await transfer();
    await client.getBlockNumber({ cacheTime: 0 });
    expect(blocks).toHaveLength(2);
    expect(hashes).toHaveLength(2);
    (await client.transport.getRpcClient()).close();
  });
});

describe("subscriptions", () => {
  test("push new block headers, and logs that match address and topics", async () => {
    const { ask, events } = await openSocket();
    const token = config.networks[0].tokens[0]!.address;
    const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    const subscribe = async (...params: unknown[]): Promise<string> => (await ask("eth_subscribe", params)).result;
    const heads = await subscribe("newHeads");
    const wanted = await subscribe("logs", { address: [token], topics: [[topic, `0x${"11".repeat(32)}`]] });
    const others = await subscribe("logs", { address: token, topics: [null, `0x${"22".repeat(32)}`] });
    expect(heads).toMatch(/^0x[0-9a-f]{32}$/);

    const args = [privateKeyToAccount(keys[2]!).address, 7n] as const;
    const hash = await createWallet(1).writeContract({ address: token, abi: erc20, functionName: "transfer", args });
    await vi.waitFor(() => expect(events(wanted)).toHaveLength(1), { timeout: 120_000 });
    const receipt = (await ask("eth_getTransactionReceipt", [hash])).result;
    expect(events(wanted)).toEqual(receipt.logs);
    expect(events(others)).toEqual([]);
    const block = (await ask("eth_getBlockByNumber", [receipt.blockNumber, false])).result;
    const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...header } = block;
    expect(events(heads)).toEqual([header]);
  });

  test("push full pending transactions if requested, and end with eth_unsubscribe or the connection", async () => {
    const [one, two] = [await openSocket(), await openSocket()];
    const id = (await one.ask("eth_subscribe", ["newPendingTransactions", true])).result;
    const plain = (await two.ask("eth_subscribe", ["newPendingTransactions"])).result;
    const { transactionHash } = await transfer();
    await vi.waitFor(() => expect(two.events(plain)).toEqual([transactionHash]), { timeout: 120_000 });
    expect(one.events(id)).toMatchObject([{ hash: transactionHash, blockNumber: null, value: "0x1" }]);

    // One connection can't end another connection's subscription.
    expect((await two.ask("eth_unsubscribe", [id])).result).toBe(false);
    expect((await one.ask("eth_unsubscribe", [id])).result).toBe(true);
    expect((await one.ask("eth_unsubscribe", [id])).result).toBe(false);
    const count = one.messages.length;
    const { transactionHash: second } = await transfer();
    await vi.waitFor(() => expect(two.events(plain)).toEqual([transactionHash, second]), { timeout: 120_000 });
    await one.ask("eth_chainId");
    expect(one.messages.length).toBe(count + 1);
  });

  test("are limited per connection, and an invalid one is rejected with the position of the wrong param", async () => {
    const { ask } = await openSocket();
    for (let made = 0; made < limits.socketSubscriptions; made++) {
      expect((await ask("eth_subscribe", ["newHeads"])).error).toBeUndefined();
    }
    expect((await ask("eth_subscribe", ["newHeads"])).error).toMatchObject({
      code: -32005,
      data: { limit: "socketSubscriptions" },
    });
    const codes: unknown[] = [];
    for (const params of [
      [],
      ["syncing"],
      ["logs", true],
      ["logs", { address: "0x1" }],
      ["newPendingTransactions", {}],
      ["newHeads", null, 1],
      [7],
    ]) {
      codes.push((await ask("eth_subscribe", params)).error?.code);
    }
    expect(codes).toEqual(codes.map(() => -32602));
    expect((await ask("eth_subscribe", ["logs", true])).error?.data).toMatchObject({ argument: 1 });
    expect((await ask("eth_unsubscribe", ["x"])).error?.code).toBe(-32602);
  });
});

describe("a client that breaks the rules", () => {
  test("gets a parse error for invalid JSON and stays connected", async () => {
    const { say, ask } = await openSocket();
    for (const text of ["", "{", "\u0000", "[1,", Buffer.from([0xff, 0xfe])]) {
      expect(await say(text)).toMatchObject({ id: null, error: { code: -32700 } });
    }
    expect((await ask("eth_chainId")).result).toBeDefined();
  });

  test("is disconnected if a message exceeds the limit or is not UTF-8", async () => {
    const { ws } = await openSocket();
    ws.send("x".repeat(limits.bodyBytes + 1));
    expect((await once(ws, "close"))[0]).toBe(1009);
    const other = await openSocket();
    other.ws.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect((await once(other.ws, "close"))[0]).toBe(1007);
  });

  test("is disconnected after an invalid frame, and leaves no connection open", async () => {
    for (const bytes of [
      [0x81, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f], // an unmasked frame from a client
      [0xf1, 0x80, 0, 0, 0, 0], // reserved bits
      [0x83, 0x80, 0, 0, 0, 0], // a reserved opcode
      [0x80, 0x80, 0, 0, 0, 0], // a continuation without a first frame
      [0x89, 0xfe, 0x00, 0x7e, 0, 0, 0, 0], // a ping longer than 125 bytes
    ]) {
      const socket = await openRaw();
      socket.write(Uint8Array.from(bytes));
      await once(socket, "close");
    }
    const vanished = await openRaw();
    vanished.resetAndDestroy();
    await vi.waitFor(() => expect(sockets.count()).toBe(0), { timeout: 120_000 });
  });

  test("is refused at the connection limit, and accepted after another client leaves", async () => {
    const all = [];
    for (let at = 0; at < limits.sockets; at++) all.push(await openSocket());
    const refused = new WebSocket(url());
    const [, answer] = await once(refused, "unexpected-response");
    expect(answer.statusCode).toBe(503);
    refused.on("error", () => undefined);
    refused.terminate();
    all[0]?.ws.close();
    await vi.waitFor(() => expect(sockets.count()).toBe(limits.sockets - 1), { timeout: 120_000 });
    expect((await (await openSocket()).ask("eth_chainId")).result).toBeDefined();
  });

  test("loses one of its connections to another client if it holds all of them", async () => {
    const all = [];
    for (let at = 0; at < limits.sockets; at++) all.push(await openSocket("/api/rpc", { localAddress: "127.0.0.2" }));
    const closed = once(all.at(-1)!.ws, "close");
    const other = await openSocket("/api/rpc", { localAddress: "127.0.0.3" });
    expect((await closed)[0]).toBe(1013);
    expect((await other.ask("eth_chainId")).result).toBeDefined();
    expect((await all[0]!.ask("eth_chainId")).result).toBeDefined();
    expect(sockets.count()).toBe(limits.sockets);
  });

  test("is disconnected if its unfinished messages use up the memory for bodies", async () => {
    const unfinished = Buffer.alloc(limits.bodyBytes - 1);
    // The header of a frame with `bodyBytes` of data. The test never sends the last byte of the data.
    const head = Buffer.from([0x81, 0xfe, limits.bodyBytes >> 8, limits.bodyBytes & 255, 0, 0, 0, 0]);
    const raws = [];
    for (let at = 0; at < limits.sockets; at++) raws.push(await openRaw());
    const dropped = Promise.race(raws.map((socket) => once(socket, "close")));
    for (const socket of raws) socket.write(Buffer.concat([head, unfinished]));
    await dropped;
    const { ask } = await openSocket();
    expect((await ask("eth_chainId")).result).toBeDefined();
    for (const socket of raws) socket.destroy();
  });

  test("is disconnected if its waiting messages use up the memory for bodies", async () => {
    // Every dispatch waits, so that only the first sixteen messages of a connection start.
    const release = Promise.withResolvers<void>();
    const memory = createBodyMemory(60_000);
    const waiting = createWebSockets({
      find: () => ({ open: () => toSession(() => release.promise), close: () => undefined }),
      limits: { bodyBytes: 20_000, sockets: 4 },
      memory,
    });
    const listener = await createListener({
      port: 0,
      bodyBytes: 20_000,
      site: Promise.resolve({ findHandler: () => undefined, sockets: waiting }),
    });
    const raw = await openRaw(listener.port);
    const closed = once(raw, "close");
    // Sent in one chunk, because the server stops reading once a message waits.
    raw.write(Buffer.concat(new Array(16 + 300).fill(toFrame("[]"))));
    await closed;
    release.resolve();
    await waiting.close();
    await listener.close();
  });

  test("is disconnected if it does not respond to pings", async () => {
    const ws = new WebSocket(url(), { autoPong: false });
    open.push(ws);
    expect((await once(ws, "close"))[0]).toBe(1006);
  });

  test("is not read any further if it sends many requests without reading, while other clients are served", async () => {
    const flooding = await openRaw();
    flooding.pause();
    // Each message requests the description of every method, a few hundred kilobytes.
    const frame = toFrame('{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}');
    const flood = Buffer.concat(new Array(2_000).fill(frame));
    flooding.write(flood);
    const { ask } = await openSocket();
    for (let at = 0; at < 20; at++) expect((await ask("eth_chainId")).result).toBeDefined();
    // The client sends no pongs and reads nothing, so it is disconnected and its remaining requests are dropped.
    await vi.waitFor(() => expect(sockets.count()).toBe(1), { timeout: 120_000 });
    flooding.destroy();
  });
});

describe("an upgrade", () => {
  test("is accepted from any origin, because pages of any origin may read over HTTP", async () => {
    const { ask } = await openSocket("/api/rpc", { headers: { origin: "https://elsewhere.example" } });
    expect((await ask("eth_chainId")).result).toBeDefined();
  });

  test("to WebSocket is handled as a plain HTTP request on a path without WebSocket support", async () => {
    const statusOf = async (path: string) => {
      const ws = new WebSocket(url(path));
      ws.on("error", () => undefined);
      const [, answer] = await once(ws, "unexpected-response");
      ws.terminate();
      return answer.statusCode;
    };
    expect(await statusOf("/api/rpc/nowhere")).toBe(404);
    expect(await statusOf("/api/health")).toBe(200);
  });

  test("to HTTP/2 is ignored, and the POST that offers it gets a normal response", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';
    const socket = connect(port, "localhost");
    const head = [
      "POST /api/rpc HTTP/1.1",
      "host: localhost",
      "connection: Upgrade, HTTP2-Settings, close",
      "upgrade: h2c",
      "http2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
      "content-type: application/json",
      `content-length: ${body.length}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
    setImmediate(() => socket.write(body.slice(10)));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    await once(socket, "close");
    const answer = String(Buffer.concat(chunks));
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(answer).toContain(`"result":"${config.networks[0].chainId}"`);
  });

  test("is rejected if it is malformed", async () => {
    const socket = connect(port, "localhost");
    socket.write(
      "GET /api/rpc HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n",
    );
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 400/);
    await once(socket, "close");
  });
});

describe("methods over a socket", () => {
  test("are the same as over HTTP, including batches, notifications and binary messages", async () => {
    const { ws, ask, say, messages } = await openSocket();
    expect((await ask("eth_chainId")).result).toBe(`0x${config.networks[0].chainId.toString(16)}`);
    const batch = await say('[{"jsonrpc":"2.0","id":"a","method":"eth_blockNumber"},{"jsonrpc":"2.0","method":"x"},7]');
    expect(batch).toHaveLength(2);
    expect(batch[0]).toMatchObject({ id: "a", result: expect.stringMatching(/^0x/) });
    expect(batch[1]).toMatchObject({ id: null, error: { code: -32600 } });
    const binary = await say(Buffer.from('{"jsonrpc":"2.0","id":"b","method":"net_version"}'));
    expect(binary).toEqual({ jsonrpc: "2.0", id: "b", result: String(config.networks[0].chainId) });
    const before = messages.length;
    ws.send('{"jsonrpc":"2.0","method":"eth_blockNumber"}');
    expect((await ask("net_listening")).result).toBe(true);
    expect(messages.slice(before)).toEqual([{ jsonrpc: "2.0", id: 2, result: true }]);
  });

  test("go to the network in the path", async () => {
    const second = config.networks[1]!;
    for (const path of [`/api/rpc/${second.name}`, `/api/rpc/${second.chainId}`, `/api/rpc/${second.name}/`]) {
      const { ask } = await openSocket(path);
      expect((await ask("net_version")).result).toBe(String(second.chainId));
    }
  });

  test("report that eth_subscribe needs a WebSocket if it is called over HTTP", async () => {
    const ask = async (method: string, params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json" };
      return (await fetch(`http://localhost:${port}/api/rpc`, { method: "POST", headers, body })).json();
    };
    expect(await ask("eth_subscribe", ["newHeads"])).toMatchObject({
      error: { code: -32601, message: expect.stringContaining("WebSocket") },
    });
    expect(await ask("eth_unsubscribe", ["0x1"])).toMatchObject({ error: { code: -32601 } });
  });
});

/** Must be last: it closes the listener that the other tests use. */
test("a shutdown sends every client code 1001 and does not wait for unresponsive ones", async () => {
  const { ws } = await openSocket();
  const deaf = await openRaw();
  deaf.pause();
  const closed = once(ws, "close");
  await closeListener();
  expect((await closed)[0]).toBe(1001);
  expect(sockets.count()).toBe(0);
  deaf.destroy();
});
