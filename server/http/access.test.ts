/**
 * Tests who may call which methods, over real connections to a real node. Any page may read and pay, only this machine
 * or a listed origin may change the chain without a signature, and requests for an unknown Host are refused.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request as send } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { methodList } from "@/lib/rpc/methods";
import { isControlled } from "@/lib/rpc/schema/define";
import { createWebSockets } from "@/server/api/websocket";
import { type Config, loadConfig } from "@/server/config/config";
import { createAccess } from "@/server/http/access";
import { createListener, type Listener } from "@/server/http/listener";
import { createNode, type Node } from "@/server/node/node";

const listed = "https://tests.example";
const notAllowed = -32004;
const folder = mkdtempSync(join(tmpdir(), "tollscan-access-"));
const toConfig = (env: Record<string, string> = {}) => loadConfig({ TOLLSCAN_DATA: folder, ...env }, folder);
const config = toConfig({ TOLLSCAN_ALLOWED_ORIGINS: listed, TOLLSCAN_ALLOWED_HOSTS: "node.example" });
let node: Node;
let local: Listener;

async function listen({ host, access: rules }: Pick<Config, "host" | "access">): Promise<Listener> {
  const access = createAccess(rules);
  const site = Promise.resolve({
    findHandler: node.findHandler,
    toRefusal: node.toRefusal,
    sockets: createWebSockets({ find: node.findSubscriptions, limits: config.limits }),
    pages: async (_req: unknown, res: { end(text: string): unknown }) => void res.end("a page"),
  });
  return createListener({ port: 0, host, bodyBytes: 100_000, access, site });
}

beforeAll(async () => {
  node = await createNode(config);
  local = await listen(config);
});
afterAll(async () => {
  await local?.close();
  await node?.close();
  rmSync(folder, { recursive: true, force: true });
});
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((listener) => listener.close()));
});

type Answer = { status: number; headers: Record<string, unknown>; text: string };
type Asked = { path?: string; headers?: Record<string, string>; address?: string; port?: number };

/** Doesn't use fetch, which overrides the Host header. */
async function exchange(method: string, body: string, asked: Asked = {}): Promise<Answer> {
  const { path = "/api/rpc", headers = {}, address = "127.0.0.1", port = local.port } = asked;
  const request = send({ host: address, port, path, method, headers: { host: `localhost:${port}`, ...headers } });
  request.end(body);
  const [response] = await once(request, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

const json = { "content-type": "application/json" };
const toCall = (method: string, params: unknown[] = [], id = 1) => ({ jsonrpc: "2.0", id, method, params });
const setBalance = toCall("anvil_setBalance", [`0x${"ab".repeat(20)}`, "0x1"]);

async function call(body: unknown, asked: Asked = {}) {
  const { text } = await exchange("POST", JSON.stringify(body), { ...asked, headers: { ...json, ...asked.headers } });
  return JSON.parse(text);
}

async function callBySocket(body: unknown, { headers = {}, address = "127.0.0.1", port = local.port }: Asked = {}) {
  const ws = new WebSocket(`ws://${address}:${port}/api/rpc`, {
    headers: { host: `localhost:${port}`, ...headers },
  });
  await once(ws, "open");
  ws.send(JSON.stringify(body));
  const [data] = await once(ws, "message");
  ws.terminate();
  return JSON.parse(String(data));
}

const transports: [string, typeof call][] = [
  ["HTTP", call],
  ["WebSocket", callBySocket],
];

describe.each(transports)("over %s", (_name, ask) => {
  const strangers: [string, Record<string, string>][] = [
    ["a page of another site", { origin: "https://evil.example" }],
    ["a page without an origin", { origin: "null" }],
    ["a page whose host begins like loopback", { origin: "http://127.0.0.1.evil.example" }],
    ["a page whose host ends like loopback", { origin: "http://notlocalhost" }],
    ["a file", { origin: "file://localhost" }],
    ["a page of a listed host over HTTP", { origin: "http://tests.example" }],
    ["a proxy that names its client", { "x-forwarded-for": "127.0.0.1" }],
    ["a proxy that names its client in the standard header", { forwarded: "for=127.0.0.1" }],
    ["a proxy that keeps the Host", { host: "node.example" }],
    ["a local page behind a proxy", { origin: "http://localhost:5173", "x-real-ip": "127.0.0.1" }],
  ];
  test.each(strangers)("%s may read but not use dev controls", async (_label, headers) => {
    expect(await ask(toCall("eth_blockNumber"), { headers })).toMatchObject({ result: "0x0" });
    expect(await ask(setBalance, { headers })).toMatchObject({
      error: {
        code: notAllowed,
        message: expect.stringMatching(/^anvil_setBalance can only be called from this machine/),
      },
    });
    expect(await ask(toCall("eth_getBalance", setBalance.params.slice(0, 1)), { headers })).toMatchObject({
      result: "0x0",
    });
  });

  const friends: [string, Record<string, string>][] = [
    ["a program", {}],
    ["a page of this machine", { origin: "http://localhost:5173" }],
    ["a page of this machine at its IPv6 address", { origin: "http://[::1]:3000" }],
    ["a page of a listed origin", { origin: listed }],
  ];
  test.each(friends)("%s on this machine may use dev controls", async (_label, headers) => {
    expect(await ask(toCall("anvil_setBalance", [`0x${"cd".repeat(20)}`, "0x1"]), { headers })).toHaveProperty(
      "result",
    );
  });

  test("checks each request of a batch separately", async () => {
    const batch = [toCall("eth_chainId", [], 1), { ...setBalance, id: 2 }, toCall("eth_chainId", [], 3)];
    const answers = await ask(batch, { headers: { origin: "https://evil.example" } });
    expect(answers).toMatchObject([{ result: "0x279f" }, { id: 2, error: { code: notAllowed } }, { result: "0x279f" }]);
  });

  test("rejects strangers' calls to all methods that sign, send funds or control the chain, and to no others", async () => {
    const batch = methodList.map(({ name }, id) => toCall(name, [{}, {}, {}, {}, {}, {}, {}, {}, {}], id));
    const answers: { id: number; error?: { code: number } }[] = await ask(batch, {
      headers: { origin: "https://evil.example" },
    });
    const refused = answers.filter(({ error }) => error?.code === notAllowed).map(({ id }) => batch[id]!.method);
    expect(refused).toEqual(methodList.filter(isControlled).map(({ name }) => name));
    expect(refused).toEqual(
      expect.arrayContaining(["eth_sendTransaction", "eth_sendUnsignedTransaction", "explorer_fund", "evm_mine"]),
    );
    expect(refused).not.toContain("eth_sendRawTransaction");
  });
});

describe("a request whose Host is", () => {
  test.each(["evil.example", "localhost.evil.example", "192.0.2.7:80", "[fd00::1]", "not a host", "0.0.0.0"])(
    "%s gets status 421 and an explanation on every path",
    async (host) => {
      const headers = { host, ...json };
      const rpc = await exchange("POST", JSON.stringify(toCall("eth_chainId")), { headers });
      expect(rpc.status).toBe(421);
      expect(JSON.parse(rpc.text)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
      const health = await exchange("GET", "", { headers, path: "/api/health" });
      expect([health.status, JSON.parse(health.text)]).toEqual([421, { error: expect.stringMatching(/\.$/) }]);
      const page = await exchange("GET", "", { headers, path: "/testnet" });
      const sentence = host === "not a host" ? "The Host header is invalid." : "TOLLSCAN_ALLOWED_HOSTS";
      expect([page.status, page.text]).toEqual([421, expect.stringContaining(sentence)]);
      const ws = new WebSocket(`ws://127.0.0.1:${local.port}/api/rpc`, { headers: { host } });
      ws.on("error", () => undefined);
      const [, refused] = await once(ws, "unexpected-response");
      expect(refused.statusCode).toBe(421);
      ws.terminate();
    },
  );

  test.each([
    "localhost",
    "LOCALHOST:1",
    "app.localhost",
    "127.0.0.1",
    "127.1.2.3:80",
    "[::1]:3000",
    "node.example:80",
  ])("%s is served", async (host) => {
    expect((await exchange("GET", "", { headers: { host }, path: "/testnet" })).text).toBe("a page");
    expect(await call(toCall("eth_chainId"), { headers: { host } })).toMatchObject({ result: "0x279f" });
  });
});

describe("a body", () => {
  test.each([undefined, "text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "text/json"])(
    "of type %s is refused, so that pages of other sites need a preflight",
    async (type) => {
      const headers = type === undefined ? {} : { "content-type": type };
      const { status, text } = await exchange("POST", JSON.stringify(setBalance), { headers });
      expect(status).toBe(415);
      expect(JSON.parse(text)).toMatchObject({
        id: null,
        error: { code: -32600, message: "Invalid request: send the body with content-type application/json." },
      });
    },
  );

  test.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=utf-8"])(
    "of type %s is accepted",
    async (type) => {
      expect(await call(toCall("eth_chainId"), { headers: { "content-type": type } })).toMatchObject({
        result: "0x279f",
      });
    },
  );
});

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4")?.address;

describe.skipIf(outside === undefined)("another machine on the network", () => {
  test("can't reach anything by default", async () => {
    const failed = exchange("POST", "", { address: outside! });
    await expect(failed).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test.each(transports)("may read but not use dev controls once HOST opens the server, over %s", async (_name, ask) => {
    const open = await listen(toConfig({ HOST: "0.0.0.0", TOLLSCAN_DEVELOPER: "on" }));
    opened.push(open);
    const host = `${outside}:${open.port}`;
    for (const origin of [undefined, `http://${host}`, "http://localhost:3000"]) {
      const headers = { host, ...(origin && { origin }) };
      const asked = { address: outside!, port: open.port, headers };
      expect(await ask(toCall("eth_chainId"), asked)).toMatchObject({ result: "0x279f" });
      expect(await ask(toCall("anvil_setBalance", [`0x${"cd".repeat(20)}`, "0x1"]), asked)).toMatchObject({
        error: { code: notAllowed },
      });
      // A caller that forges the Host header still doesn't count as local.
      const lying = { ...asked, headers: { ...headers, host: "localhost" } };
      expect(await ask(toCall("anvil_setBalance", [`0x${"cd".repeat(20)}`, "0x1"]), lying)).toMatchObject({
        error: { code: notAllowed },
      });
    }
    const mine = { port: open.port };
    expect(await ask(toCall("anvil_setBalance", [`0x${"cd".repeat(20)}`, "0x1"]), mine)).toHaveProperty("result");
  });

  test("may use dev controls if every origin is allowed", async () => {
    const open = await listen(toConfig({ HOST: "0.0.0.0", TOLLSCAN_ALLOWED_ORIGINS: "*" }));
    opened.push(open);
    const asked = { address: outside!, port: open.port, headers: { host: `${outside}:${open.port}` } };
    expect(await call(toCall("anvil_setBalance", [`0x${"cd".repeat(20)}`, "0x1"]), asked)).toHaveProperty("result");
  });
});

test("listens only on loopback addresses by default", async () => {
  expect(await call(toCall("eth_chainId"), { address: "127.0.0.1" })).toMatchObject({ result: "0x279f" });
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
  if (hasIpv6) expect(await call(toCall("eth_chainId"), { address: "::1" })).toMatchObject({ result: "0x279f" });
});

test("a deployment on Vercel serves its own host names, and its own pages may use the faucet", () => {
  const { access, isDeveloped } = loadConfig(
    { VERCEL: "1", VERCEL_URL: "app-1.vercel.app", VERCEL_PROJECT_PRODUCTION_URL: "Shop.example" },
    folder,
  );
  const { findHostRefusal, mayControl } = createAccess(access);
  expect(isDeveloped).toBe(false);
  expect([findHostRefusal("app-1.vercel.app"), findHostRefusal("shop.example")]).toEqual([undefined, undefined]);
  expect(findHostRefusal("other.vercel.app")).toMatch(/^[^\n]+\.$/);
  expect(mayControl({ host: "shop.example", origin: "https://shop.example" }, undefined)).toBe(true);
  expect(mayControl({ host: "shop.example" }, undefined)).toBe(false);
  expect(mayControl({ host: "shop.example", origin: "https://evil.example" }, undefined)).toBe(false);
});

test("only a program or a page on this machine is local, whatever the settings allow", () => {
  const { isLocal } = createAccess({ hosts: ["*"], origins: ["*"], anyAddress: true });
  const local = { host: "localhost:3000" };
  expect(isLocal(local, "127.0.0.1")).toBe(true);
  expect(isLocal({ ...local, origin: "http://localhost:3000" }, "::1")).toBe(true);
  expect(isLocal({ ...local, origin: "https://shop.example" }, "127.0.0.1")).toBe(false);
  expect(isLocal({ host: "shop.example" }, "127.0.0.1")).toBe(false);
  expect(isLocal({ ...local, "x-forwarded-for": "192.0.2.1" }, "127.0.0.1")).toBe(false);
  expect(isLocal(local, "192.0.2.1")).toBe(false);
  expect(isLocal(local, undefined)).toBe(false);
});
