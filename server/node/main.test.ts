/**
 * Tests the server process: its startup errors, its responses over real HTTP, and which data survives if the server is
 * stopped, killed, or started with another chain's folder.
 */
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWalletClient, type Hex, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listOptions } from "@/server/config/commandLine.mjs";
import { getDevAccount } from "@/server/config/devAccounts";
import { getServerCode, runToEnd, type ServerProcess, startServer } from "@/server/testing/serverProcess";
import { recipient, signTransfer } from "@/server/testing/transfer";

const folder = mkdtempSync(join(tmpdir(), "tollscan-main-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const main = [await getServerCode(), "--no-pages"];
const start = ["server/bin/start.mjs"];

async function post(url: string, body: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

async function request<T>(origin: string, method: string, params: unknown[] = [], network = "testnet"): Promise<T> {
  const { body } = await post(
    `${origin}/api/rpc/${network}`,
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  );
  const { result, error } = body as { result: T; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

function toClient(origin: string, index: number) {
  const chain = {
    id: 10143,
    name: "Testnet",
    nativeCurrency: { name: "Monad", symbol: "MON", decimals: 18 },
    rpcUrls: { default: { http: [`${origin}/api/rpc/testnet`] } },
  };
  const account = privateKeyToAccount(getDevAccount(index).privateKey);
  return createWalletClient({ account, chain, transport: http() }).extend(publicActions);
}

describe("a start that fails prints an error and writes nothing", () => {
  const dataDir = join(folder, "refused");
  const networks = join(folder, "wrong.json");
  writeFileSync(networks, "[]");

  test.each<[label: string, command: string[], env: Record<string, string>, names: string]>([
    ["npm start, an empty variable", start, { PORT: "" }, "PORT"],
    ["npm start, a malformed number", start, { TOLLSCAN_LIMIT_CALL_WORKERS: "many" }, "TOLLSCAN_LIMIT_CALL_WORKERS"],
    ["npm start, an invalid key", start, { FACILITATOR_PRIVATE_KEY: "0x12" }, "FACILITATOR_PRIVATE_KEY"],
    ["npm start, an unknown option", [...start, "--prot", "1"], {}, '"--prot" is not an option'],
    ["npm start, an option without its value", [...start, "--port"], {}, "--port needs a value"],
    ["npm start, a malformed option", [...start, "--port", "x"], {}, "--port must be a whole number"],
    ["the server, a malformed number", main, { PORT: "x" }, "PORT"],
    ["the server, a networks file without networks", main, { TOLLSCAN_NETWORKS: networks }, "TOLLSCAN_NETWORKS"],
  ])("%s", async (_label, command, env, names) => {
    const { code, stdout, stderr } = await runToEnd(command, { TOLLSCAN_DATA: dataDir, ...env });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    expect(stderr).toContain(names);
    expect(existsSync(dataDir)).toBe(false);
  });

  test.each([
    ["npm start", start],
    ["the server", main],
  ])("%s, a port in use", async (_label, command) => {
    const holder = createServer();
    const port = await new Promise<number>((resolve) => {
      holder.listen(0, () => {
        const address = holder.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
    try {
      const { code, stderr } = await runToEnd(command, { TOLLSCAN_DATA: dataDir, PORT: String(port) });
      expect(code).toBe(1);
      expect(stderr).toBe(`PORT ${port} is in use; choose another one.\n`);
      expect(existsSync(dataDir)).toBe(false);
    } finally {
      holder.close();
    }
  });
});

test("npm start takes the options of tollscan, and lists them", async () => {
  const { code, stdout } = await runToEnd([...start, "--help"], {});
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: npm start -- [options]");
  for (const { option } of listOptions()) expect(stdout).toContain(`--${option}`);

  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  const { stderr } = await runToEnd([...start, "--port", String(port)], {});
  holder.close();
  expect(stderr).toBe(`--port ${port} is in use; choose another one.\n`);
});

test("npm test refuses arguments, because it runs every test", async () => {
  const { code, stderr } = await runToEnd(["server/bin/test.mjs", "server/chain"], {});
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "npm test runs every test and takes no arguments; use npm run test:unit or npm run test:e2e to run some files.\n",
  });
});

describe("a running server", () => {
  let server: ServerProcess;
  const data = join(folder, "running");
  beforeAll(async () => {
    server = await startServer({ TOLLSCAN_DATA: data, TOLLSCAN_LIMIT_BODY_BYTES: "100000" });
  });
  afterAll(() => server.stop("SIGKILL"));

  test("serves its networks by name and by chain ID, and reports that it is healthy", async () => {
    const health = (await (await fetch(`${server.origin}/api/health`)).json()) as { networks: { name: string }[] };
    expect(health).toMatchObject({ status: "ok" });
    expect(health.networks.map(({ name }) => name)).toEqual(["testnet", "mainnet", "base-sepolia"]);
    expect(await request(server.origin, "eth_chainId")).toBe("0x279f");
    expect(await request(server.origin, "eth_chainId", [], "143")).toBe("0x8f");
    expect((await post(`${server.origin}/api/rpc/nowhere`, "{}")).status).toBe(404);
  });

  test("serves JSON-RPC of the default network at the root, over HTTP and WebSocket", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId" });
    expect(await post(server.origin, body)).toMatchObject({ status: 200, body: { result: "0x279f" } });
    const preflight = await fetch(server.origin, { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
      204,
      expect.stringContaining("POST"),
    ]);
    const socket = new WebSocket(server.origin.replace("http", "ws"));
    await once(socket, "open");
    socket.send(body);
    const [event] = (await once(socket, "message")) as [MessageEvent<string>];
    expect(JSON.parse(event.data)).toMatchObject({ result: "0x279f" });
    socket.close();
  });

  test("rejects invalid JSON-RPC with the standard codes", async () => {
    const url = `${server.origin}/api/rpc`;
    expect((await post(url, "{")).body).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await post(url, "[]")).body).toMatchObject({ error: { code: -32600 } });
    expect((await post(url, '{"jsonrpc":"2.0","id":7,"method":"eth_nothing"}')).body).toMatchObject({
      id: 7,
      error: { code: -32601 },
    });
    const tooLong = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(200_000) }));
    expect(tooLong).toMatchObject({ status: 413, body: { id: null, error: { code: expect.any(Number) } } });
  });

  test("serves the facilitator and a paid resource", async () => {
    const supported = await (await fetch(`${server.origin}/api/facilitator/supported`)).json();
    expect(supported).toMatchObject({ kinds: expect.arrayContaining([expect.objectContaining({ scheme: "exact" })]) });
    const unpaid = await fetch(`${server.origin}/api/paid/block-digest`);
    expect(unpaid.status).toBe(402);
    expect(unpaid.headers.get("payment-required")).toBeTruthy();
  });

  test("streams a transfer that another client sent", async () => {
    const abort = new AbortController();
    const stream = await fetch(`${server.origin}/api/stream/testnet`, { signal: abort.signal });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();

    const client = toClient(server.origin, 0);
    const hash = await client.sendTransaction({ to: recipient, value: 12n });
    const receipt = await client.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe("success");

    let text = "";
    while (!new RegExp(`event: head\\ndata: [^\\n]*${hash}`).test(text)) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      expect(done).toBe(false);
      text += value;
    }
    expect(text).toMatch(new RegExp(`event: pool\\ndata: {"added":\\["${hash}"`));
    abort.abort();
  });

  test("keeps serving after clients reset their connections", async () => {
    const { port } = new URL(server.origin);
    const head = "POST /api/rpc HTTP/1.1\r\nhost: localhost\r\n";
    for (const text of ["", head, `${head}connection: upgrade\r\nupgrade: websocket\r\n\r\n`]) {
      const socket = connect(Number(port), "127.0.0.1");
      await once(socket, "connect");
      if (text !== "") await new Promise((resolve) => socket.write(text, resolve));
      socket.resetAndDestroy();
      expect(await request(server.origin, "eth_chainId")).toBe("0x279f");
    }
  });

  test("says at startup that only this machine can reach it and use dev controls", () => {
    expect(server.banner).toMatch(/Open to +this machine only/);
    expect(server.banner).toMatch(/Controls +on, from this machine\n/);
  });

  test("prevents a second server from writing to its data folder", async () => {
    const { code, stderr } = await runToEnd(main, { PORT: "0", TOLLSCAN_DATA: data });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]*in use[^\n]*\.\n$/);
  });
});

test("HOST opens the server and turns dev controls off, and the startup text says so", async () => {
  const server = await startServer({ TOLLSCAN_DATA: join(folder, "open"), HOST: "0.0.0.0" });
  expect(server.banner).toMatch(/Open to +everyone who can reach 0\.0\.0\.0 \(HOST\)/);
  expect(server.banner).toMatch(/Controls +off; TOLLSCAN_DEVELOPER=on turns them on/);
  await expect(request(server.origin, "anvil_setBalance", [recipient, "0x1"])).rejects.toThrow(
    /Dev controls are disabled/,
  );
  await server.stop("SIGTERM");
});

test("a HOST that belongs to another machine is rejected with a clear error", async () => {
  const { code, stderr } = await runToEnd(main, {
    TOLLSCAN_DATA: join(folder, "foreign"),
    PORT: "0",
    HOST: "203.0.113.9",
  });
  expect([code, stderr]).toEqual([1, "HOST 203.0.113.9 is not an address of this machine.\n"]);
});

test("SIGTERM ends a server that builds a long block, and the block's transactions stay in the pool", async () => {
  const env = { TOLLSCAN_DATA: join(folder, "building"), TOLLSCAN_LIMIT_BUILD_TIME_MS: "60000" };
  const first = await startServer(env);
  const client = toClient(first.origin, 0);
  // Once this transaction is mined, the worker has started.
  await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: recipient, value: 1n }) });
  // An endless loop that hashes 32 KB.
  const looping = `0x${"c0".repeat(20)}` as const;
  await request(first.origin, "anvil_setCode", [looping, "0x5b61800060002050600056"]);
  await request(first.origin, "evm_setBlockGasLimit", ["0x2540be4000"]);
  await request(first.origin, "evm_setAutomine", [false]);
  const gas = 16_000_000n;
  const sent = 300;
  for (let nonce = 1; nonce <= sent; nonce++) await client.sendTransaction({ to: looping, gas, nonce });
  await request(first.origin, "evm_setAutomine", [true]);
  expect(await first.stop("SIGTERM")).toMatchObject({ code: 0, stderr: "" });

  const second = await startServer(env);
  expect(await request(second.origin, "eth_blockNumber")).toBe("0x1");
  expect(await request(second.origin, "txpool_status")).toEqual({ pending: `0x${sent.toString(16)}`, queued: "0x0" });
  expect(await second.stop("SIGTERM")).toMatchObject({ code: 0, stderr: "" });
});

test("SIGTERM writes the state file, and the next start loads it", async () => {
  const env = { TOLLSCAN_STATE: join(folder, "state.json") };
  const first = await startServer({ ...env, TOLLSCAN_DATA: join(folder, "dumped") });
  const hash = await request<Hex>(first.origin, "eth_sendRawTransaction", [await signTransfer(1, 0)]);
  await toClient(first.origin, 1).waitForTransactionReceipt({ hash });
  const balance = await request(first.origin, "eth_getBalance", [recipient, "latest"]);
  expect(await first.stop("SIGTERM")).toMatchObject({ code: 0, stderr: "" });

  const second = await startServer({ ...env, TOLLSCAN_DATA: join(folder, "loaded") });
  expect(await request(second.origin, "eth_getBalance", [recipient, "latest"])).toBe(balance);
  expect((await second.stop("SIGINT")).code).toBe(0);
});

describe("acknowledged data", () => {
  test("survives a restart, which ends streams and exits cleanly", async () => {
    const env = { TOLLSCAN_DATA: join(folder, "stopped") };
    const first = await startServer(env);
    const hash = await request<Hex>(first.origin, "eth_sendRawTransaction", [await signTransfer(1, 0)]);
    await toClient(first.origin, 1).waitForTransactionReceipt({ hash });
    const head = await request<object>(first.origin, "eth_getBlockByNumber", ["latest", true]);
    const stream = await fetch(`${first.origin}/api/stream`);
    const [outcome] = await Promise.all([first.stop("SIGTERM"), stream.text()]);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });

    const second = await startServer(env);
    expect(await request(second.origin, "eth_getBlockByNumber", ["latest", true])).toEqual(head);
    expect((await second.stop("SIGINT")).code).toBe(0);
  });

  test("survives a kill under load: every transaction whose receipt was returned is still there", async () => {
    const env = { TOLLSCAN_DATA: join(folder, "killed") };
    const first = await startServer(env);
    const answered: { transactionHash: Hex; blockHash: Hex }[] = [];
    let dead = false;
    const load = [1, 2, 3, 4].map(async (index) => {
      for (let nonce = 0; !dead; nonce++) {
        const raw = await signTransfer(index, nonce);
        try {
          answered.push(await request(first.origin, "eth_sendRawTransactionSync", [raw, 10_000]));
        } catch (error) {
          if (!dead) throw error;
        }
        if (answered.length >= 60 && !dead) {
          dead = true;
          first.child.kill("SIGKILL");
        }
      }
    });
    await Promise.all(load);
    await first.stop("SIGKILL");

    const second = await startServer(env);
    for (const { transactionHash, blockHash } of answered) {
      expect(await request(second.origin, "eth_getTransactionReceipt", [transactionHash])).toMatchObject({ blockHash });
    }
    const next = await request<Hex>(second.origin, "eth_getTransactionCount", [getDevAccount(5).address, "latest"]);
    expect(next).toBe("0x0");
    const receipt = await request(second.origin, "eth_sendRawTransactionSync", [await signTransfer(5, 0), 10_000]);
    expect(receipt).toMatchObject({ status: "0x1" });
    await second.stop("SIGTERM");
  });

  test("is not changed by a start with another chain ID, whose error has both IDs", async () => {
    const data = join(folder, "other");
    const networks = join(folder, "networks.json");
    const write = (chainId: number) =>
      writeFileSync(
        networks,
        JSON.stringify([
          {
            name: "devnet",
            chainId,
            nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
            tokens: [
              {
                address: `0x${"a1".repeat(20)}`,
                symbol: "USDC",
                decimals: 6,
                eip712: { name: "USDC", version: "2" },
                eip3009: true,
              },
            ],
          },
        ]),
      );
    const env = { TOLLSCAN_DATA: data, TOLLSCAN_NETWORKS: networks };
    write(31337);
    const first = await startServer(env);
    expect(await request(first.origin, "eth_chainId", [], "devnet")).toBe("0x7a69");
    await first.stop("SIGTERM");

    write(31338);
    const { code, stderr } = await runToEnd(main, { PORT: "0", ...env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]*31337[^\n]*31338[^\n]*\.\n$/);

    write(31337);
    await (await startServer(env)).stop("SIGTERM");
  });
});
