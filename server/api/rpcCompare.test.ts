/**
 * Tests calls to another endpoint through the node. The endpoint is a real one on this machine; an option of the guard
 * allows loopback addresses.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCompareHandler } from "@/server/api/rpcCompare";
import { createGuardedFetch } from "@/server/http/guardedFetch";

let server: Server;
let url: string;
const seen: { body: string; headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    let body = "";
    req.on("data", (chunk) => {
      body += chunk;
    });
    req.on("end", () => {
      seen.push({ body, headers: req.headers });
      if (req.url === "/page") res.end("<html></html>");
      else if (req.url === "/json") res.end('{"secret":"of a service that does not speak JSON-RPC"}');
      else res.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';

/** Each call comes from a different address, so that the calls don't share a rate limit. */
let clients = 0;
async function ask(
  body: unknown,
  {
    allowLoopback = true,
    method = "POST",
    headers = {},
    handler = createCompareHandler(createGuardedFetch({ allowLoopback })),
    client = `192.0.2.${++clients}`,
  } = {},
) {
  const answer = await handler({
    method,
    path: "/api/rpc-compare",
    query: new URLSearchParams(),
    headers: { "content-type": "application/json", ...headers },
    body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
    origin: "http://localhost",
    remoteAddress: client,
  });
  return { ...answer, json: JSON.parse(String(answer.body)) };
}

it("forwards the request unchanged and returns the response unchanged, with its duration", async () => {
  const { status, headers, json } = await ask({ url, body: call });
  expect(status).toBe(200);
  expect(json).toEqual({ status: 200, ms: expect.any(Number), body: '{"jsonrpc":"2.0","id":1,"result":"0x1"}' });
  expect(seen.at(-1)?.body).toBe(call);
  // A page on another site can neither send requests nor read responses.
  expect(Object.keys(headers)).not.toContain("access-control-allow-origin");
});

it.each([
  ["", 400],
  ["{", 400],
  [{ url: "https://example.com" }, 400],
  [{ url: "https://example.com", body: "GET /" }, 400],
  [{ url: "https://example.com", body: '{"method":"eth_chainId"}' }, 400],
  [{ url: "https://example.com", body: "[]" }, 400],
  [{ url: "https://example.com", body: `[${Array(51).fill(call).join(",")}]` }, 400],
  [{ url: "https://example.com", body: `{"jsonrpc":"2.0","method":"a","x":"${"y".repeat(70_000)}"}` }, 400],
])("refuses the request %j", async (body, status) => {
  const answer = await ask(body);
  expect(answer.status).toBe(status);
  expect(answer.json.error).toMatch(/\.$/);
});

it("refuses pages of other sites, other methods, and bodies that browsers send without a preflight", async () => {
  const body = { url, body: call };
  expect((await ask(body, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  expect((await ask(body, { headers: { "content-type": "text/plain" } })).status).toBe(415);
  expect((await ask(body, { method: "GET" })).status).toBe(405);
  expect((await ask(body, { method: "OPTIONS" })).status).toBe(405);
});

describe("the endpoint", () => {
  it("must be public in production", async () => {
    const { status, json } = await ask({ url, body: call }, { allowLoopback: false });
    expect([status, json]).toEqual([
      400,
      { error: "127.0.0.1 is a loopback address; only public addresses are allowed.", reason: "refused_address" },
    ]);
  });

  it("must return JSON-RPC; other responses are not shown", async () => {
    for (const path of ["/page", "/json"]) {
      const { status, json } = await ask({ url: `${url}${path}`, body: call });
      expect([status, json.error]).toEqual([502, "The endpoint responded with HTTP 200 but not with JSON-RPC."]);
    }
  });

  it("is protected by a rate limit", async () => {
    const handler = createCompareHandler(createGuardedFetch({ allowLoopback: true }));
    const statuses: number[] = [];
    for (let index = 0; index < 14; index++) {
      statuses.push((await ask({ url, body: call }, { handler, client: "198.51.100.1" })).status);
    }
    expect(statuses.slice(0, 10).every((status) => status === 200)).toBe(true);
    expect(statuses).toContain(429);
  });
});
